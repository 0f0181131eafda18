import type { Attack, Place } from "../attack.ts";

/** What is said to the proxy by hand, each message over a connection of its own. */
export interface Talk {
  /** Bytes as Latin-1. */
  readonly messages: readonly string[];
  /** Text of an answer that shows success. Without it every answer that is no refusal does: then an address was dialled. */
  readonly wanted?: string;
}

/**
 * Refusals: of HTTP, and – with NUL, 2, 4, 5, 7, 8 and 255 written as `0`, `2`, `4`, `5`, `7`, `8`, `X` – of SOCKS. A
 * greeting alone is one whose rest was lost: the proxy closes a connection on which more was sent than it reads.
 */
const REFUSED = "^(HTTP/1.1 40[03]|505[278]|50$|5X)";
const SPELLED = ["\0\x02\x04\x05\x07\x08\xff", "024578X"] as const;

const escaped = (text: string, form: (byte: string) => string) =>
  Array.from(text, (char) => form(char.charCodeAt(0).toString(16).padStart(2, "0"))).join("");

/** The code that says it, in languages that can. */
export const BY_HAND = {
  python: (target) => {
    const { messages, wanted } = JSON.parse(target) as Talk;
    return `import re
proxy = int(os.environ.get("HTTP_PROXY", ":17317").rsplit(":", 1)[1])
last = None
for message in [${messages.map((text) => `b"${escaped(text, (byte) => `\\x${byte}`)}"`).join(", ")}]:
    s = socket.create_connection(("127.0.0.1", proxy), 20)
    s.settimeout(20)
    data = b""
    try:
        s.sendall(message)
        while True:
            part = s.recv(65536)
            if not part: break
            data += part
    except OSError: pass
    s.close()
    answer = data.decode("latin1").translate(str.maketrans(${JSON.stringify(SPELLED[0])}, "${SPELLED[1]}"))
    last = answer.split("\\r\\n")[0][:60] or "closed"
    ${
      wanted === undefined
        ? `if answer and not re.match("${REFUSED}", answer): return answer`
        : `if "${wanted}" in answer: return answer`
    }
raise OSError("refused by the proxy: " + last)`;
  },
  bash: (target) => {
    const { messages, wanted } = JSON.parse(target) as Talk;
    return `proxy=\${HTTP_PROXY##*:}; last=; refused='${REFUSED}'
for message in ${messages.map((text) => `'${escaped(text, (byte) => `\\x${byte}`)}'`).join(" ")}; do
  exec 3<>/dev/tcp/127.0.0.1/\${proxy:-17317}
  printf "$message" >&3
  answer=$(timeout 20 cat <&3 2>/dev/null | tr '\\000\\002\\004\\005\\007\\010\\377' '${SPELLED[1]}' || true)
  exec 3>&-
  last=\${answer%%$'\\r'*}
  ${
      wanted === undefined
        ? `if [ -n "$answer" ] && ! [[ $answer =~ $refused ]]; then echo "$answer"; exit 0; fi`
        : `case $answer in *${wanted}*) exit 0 ;; esac`
    }
done
echo "refused by the proxy: \${last:-closed}"; exit 1`;
  },
} satisfies Attack["code"];

/** A request with a whole address. */
export const get = (url: string, headers = ""): string => `GET ${url} HTTP/1.1\r\n${headers}\r\n`;

/** CONNECT, and a request in case that it works. */
export const connect = (authority: string): string =>
  `CONNECT ${authority} HTTP/1.1\r\n\r\nGET / HTTP/1.0\r\n\r\n`;

/** SOCKS 5 with the bytes of an address or name. */
export function socks(
  address: readonly number[],
  { port, command = 1 }: { port: number; command?: number },
): string {
  const bytes = [5, 1, 0, 5, command, 0, ...address, port >> 8, port & 255];
  return `${String.fromCharCode(...bytes)}GET / HTTP/1.0\r\n\r\n`;
}

/** A name as SOCKS has it. */
export const socksName = (
  name: string,
): number[] => [3, name.length, ...Array.from(name, (c) => c.charCodeAt(0))];

/** What shows that the granted server answered. */
export const granted = ({ hosts }: Place, more: readonly string[] = []): string =>
  JSON.stringify(
    {
      messages: [...more, get(`http://${hosts.web}/`, "Connection: close\r\n")],
      wanted: `host=${hosts.web}`,
    } satisfies Talk,
  );
