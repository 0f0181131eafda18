# Helper library for shell tools (bash and POSIX sh): no protocol, no jq.
#
#   . skillz.sh
#   city=$(skillz_arg city "Paris")
#   skillz_progress 1 2 "asking"
#   skillz_memory_set last "$city"
#   skillz_result "It rains in $city"
#
# Sourcing it reads the call. What commands print goes to stderr; the result is what skillz_result gets.
#
#   skillz_arg NAME [DEFAULT]           an argument: strings as text, the rest as JSON. NAME may be a path: user.tags.0
#   skillz_context PATH [DEFAULT]       the same of the context: working_directory, environment.SKILLZ_KEY, roots.0
#   skillz_result TEXT                  answer a text        skillz_result_json JSON   answer any JSON
#   skillz_error MESSAGE                answer a failure
#   skillz_log MESSAGE [LEVEL]          skillz_progress N [TOTAL [MESSAGE]]            skillz_stream TEXT
#   skillz_memory_get KEY [DEFAULT]     skillz_memory_set KEY TEXT [TTL]               skillz_memory_set_json KEY JSON [TTL]
#   skillz_memory_delete KEY            skillz_memory_list [PREFIX]                    (keys, one a line)
#   skillz_call TOOL [ARGUMENTS_JSON]   text of another tool's result; status 1 when it fails
#   skillz_elicit MESSAGE [SCHEMA_JSON] the user's answer as JSON
#   skillz_sample PROMPT [MAX_TOKENS]   the model's text     skillz_roots              roots as JSON
#   skillz_resources                    as JSON              skillz_resource URI       its text
#   skillz_request METHOD PARAMS_JSON   any request; prints the result as JSON
#   skillz_string TEXT                  TEXT as a JSON string
#   skillz_json PATH [DEFAULT]          a value of the JSON on stdin
#   skillz_next                         reads the next call (persistent tools); status 1 when there is none

# stdout and stdin belong to the protocol: other commands get stderr and nothing.
exec 3>&1 4<&0 1>&2 0</dev/null

# Finds a path in JSON and prints the value: strings decoded, the rest as it is written. Status 1 when it is not there.
SKILLZ_AWK_GET='
function fits(  k) {
  if (depth != wanted) return 0
  for (k = 1; k <= wanted; k++) if (part[k] "" != want[k] "") return 0
  return 1
}
function utf8(n) {
  if (n < 128) return sprintf("%c", n)
  if (n < 2048) return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
  if (n < 65536) return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
  return sprintf("%c%c%c%c", 240 + int(n / 262144), 128 + int(n / 4096) % 64, 128 + int(n / 64) % 64, 128 + n % 64)
}
function hex(text,  k, n) {
  for (k = 1; k <= 4; k++) n = n * 16 + index("0123456789abcdef", tolower(substr(text, k, 1))) - 1
  return n
}
function decode(text,  out, at, c, n, low) {
  while ((at = index(text, "\\")) > 0) {
    out = out substr(text, 1, at - 1)
    c = substr(text, at + 1, 1)
    text = substr(text, at + 2)
    if (c == "n") out = out "\n"
    else if (c == "t") out = out "\t"
    else if (c == "r") out = out "\r"
    else if (c == "b") out = out "\b"
    else if (c == "f") out = out "\f"
    else if (c == "u") {
      n = hex(text)
      text = substr(text, 5)
      if (n >= 55296 && n < 56320 && substr(text, 1, 2) == "\\u") {
        low = hex(substr(text, 3))
        n = 65536 + (n - 55296) * 1024 + low - 56320
        text = substr(text, 7)
      }
      out = out utf8(n)
    } else out = out c
  }
  return out text
}
function finish(text) { found = 1; printf "%s", text; exit 0 }
{ json = json $0 }
END {
  if (found) exit 0
  wanted = path == "" ? 0 : split(path, want, ".")
  pieces = split(json, piece, "\"")
  for (i = 1; i <= pieces; i++) {
    text = piece[i]
    size = length(text)
    for (j = 1; j <= size; j++) {
      c = substr(text, j, 1)
      if (c == "," || c == "}" || c == "]") {
        if (taking == 2) finish(out)
        if (c == ",") { if (kind[depth] == "{") key[depth] = 1; else part[depth]++ }
        else depth--
        if (taking) out = out c
        if (taking == 1 && c != "," && depth == start) finish(out)
      } else if (c == "{" || c == "[") {
        if (!taking && fits()) { taking = 1; start = depth }
        if (taking) out = out c
        depth++
        kind[depth] = c
        key[depth] = c == "{"
        part[depth] = c == "[" ? 0 : ""
      } else if (c == ":") {
        key[depth] = 0
        if (taking) out = out c
      } else if (c != " " && c != "\t" && c != "\r") {
        if (!taking && fits() && !(kind[depth] == "{" && key[depth])) taking = 2
        if (taking) out = out c
      }
    }
    if (i == pieces) break
    text = piece[++i]
    while (match(text, /\\+$/) && RLENGTH % 2 == 1 && i < pieces) text = text "\"" piece[++i]
    if (kind[depth] == "{" && key[depth]) part[depth] = decode(text)
    else if (!taking && fits()) finish(decode(text))
    if (taking) out = out "\"" text "\""
  }
  if (taking == 2) finish(out)
  exit 1
}'

# Makes a JSON string of all of stdin but its last newline.
SKILLZ_AWK_STRING='
BEGIN { for (k = 1; k < 32; k++) code[sprintf("%c", k)] = sprintf("\\u%04x", k); code["\t"] = "\\t"; code["\r"] = "\\r" }
{
  gsub(/\\/, "\\\\\\\\"); gsub(/"/, "\\\"")
  if ($0 ~ /[\001-\037]/) {
    line = ""
    for (k = 1; k <= length($0); k++) { c = substr($0, k, 1); line = line (c in code ? code[c] : c) }
    $0 = line
  }
  printf "%s%s", (NR > 1 ? "\\n" : "\""), $0
}
END { if (NR == 0) printf "\""; printf "\"" }'

skillz_json() {
  LC_ALL=C awk -v path="$1" "$SKILLZ_AWK_GET" || { [ $# -gt 1 ] && printf '%s' "$2"; }
}

skillz_string() {
  case "$1" in
    *[\"\\]* | *[[:cntrl:]]*) printf '%s\n' "$1" | LC_ALL=C awk "$SKILLZ_AWK_STRING" ;;
    *) printf '"%s"' "$1" ;;
  esac
}

skillz_arg() {
  _skillz_of "params.arguments.$1" "$@"
}

skillz_context() {
  _skillz_of "params.context.$1" "$@"
}

_skillz_of() {
  _skillz_path=$1
  shift 2
  printf '%s\n' "$SKILLZ_REQUEST" | skillz_json "$_skillz_path" "$@"
}

skillz_result() {
  skillz_result_json "$(skillz_string "$1")"
}

skillz_result_json() {
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$SKILLZ_ID" "$(printf '%s' "$1" | tr '\n' ' ')" >&3
}

skillz_error() {
  printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%s}}\n' "$SKILLZ_ID" "$(skillz_string "$1")" >&3
}

skillz_log() {
  _skillz_note log "{\"message\":$(skillz_string "$1"),\"level\":\"${2-info}\"}"
}

skillz_progress() {
  _skillz_note progress "{\"progress\":$1${2:+,\"total\":$2}${3:+,\"message\":$(skillz_string "$3")}}"
}

skillz_stream() {
  _skillz_note stream "{\"data\":$(skillz_string "$1")}"
}

_skillz_note() {
  printf '{"jsonrpc":"2.0","method":"%s","params":%s}\n' "$1" "$2" >&3
}

skillz_request() {
  # The id is made from the question, so that it is the same when a call is run again.
  _skillz_key=$(printf '%s %s' "$1" "$2" | cksum | tr ' ' '-')
  printf '{"jsonrpc":"2.0","id":"%s","method":"%s","params":%s}\n' "$_skillz_key" "$1" "$(printf '%s' "$2" | tr '\n' ' ')" >&3
  while IFS= read -r _skillz_line <&4; do
    case "$_skillz_line" in
      '{"jsonrpc":"2.0","method":"cancel"'*) exit 143 ;;
      *"\"$_skillz_key\""*)
        if _skillz_message=$(printf '%s\n' "$_skillz_line" | skillz_json error.message); then
          printf '%s\n' "$_skillz_message" >&2
          return 1
        fi
        printf '%s\n' "$_skillz_line" | skillz_json result
        return
        ;;
    esac
  done
  return 1
}

skillz_memory_get() {
  _skillz_answer=$(skillz_request memory/get "{\"key\":$(skillz_string "$1")}") || return
  case $(printf '%s\n' "$_skillz_answer" | skillz_json found) in
    true) printf '%s\n' "$_skillz_answer" | skillz_json value ;;
    *) [ $# -gt 1 ] && printf '%s' "$2" ;;
  esac
}

skillz_memory_set() {
  skillz_memory_set_json "$1" "$(skillz_string "$2")" ${3:+"$3"}
}

skillz_memory_set_json() {
  skillz_request memory/set "{\"key\":$(skillz_string "$1"),\"value\":$2${3:+,\"ttl\":$3}}" >/dev/null
}

skillz_memory_delete() {
  skillz_request memory/delete "{\"key\":$(skillz_string "$1")}" | skillz_json deleted
}

skillz_memory_list() {
  _skillz_answer=$(skillz_request memory/list "{\"prefix\":$(skillz_string "${1-}")}") || return
  _skillz_n=0
  while _skillz_item=$(printf '%s\n' "$_skillz_answer" | skillz_json "keys.$_skillz_n"); do
    printf '%s\n' "$_skillz_item"
    _skillz_n=$((_skillz_n + 1))
  done
}

skillz_call() {
  _skillz_answer=$(skillz_request tools/call "{\"name\":$(skillz_string "$1"),\"arguments\":${2:-"{}"}}") || return
  printf '%s\n' "$_skillz_answer" | skillz_json output
  [ "$(printf '%s\n' "$_skillz_answer" | skillz_json isError false)" != true ]
}

skillz_elicit() {
  _skillz_schema=${2:-'{"type":"object","properties":{}}'}
  skillz_request elicitation/create "{\"message\":$(skillz_string "$1"),\"requestedSchema\":$_skillz_schema}"
}

skillz_sample() {
  _skillz_prompt="{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":$(skillz_string "$1")}}"
  _skillz_answer=$(skillz_request sampling/createMessage "{\"messages\":[$_skillz_prompt],\"maxTokens\":${2:-1000}}") || return
  printf '%s\n' "$_skillz_answer" | skillz_json content.text
}

skillz_roots() {
  skillz_request roots/list '{}' | skillz_json roots
}

skillz_resources() {
  skillz_request resources/list '{}' | skillz_json resources
}

skillz_resource() {
  skillz_request resources/read "{\"uri\":$(skillz_string "$1")}" | skillz_json contents.0.text
}

skillz_next() {
  while IFS= read -r SKILLZ_REQUEST <&4; do
    case "$SKILLZ_REQUEST" in
      *'"method":"execute"'*)
        # The server writes the id last.
        SKILLZ_ID=${SKILLZ_REQUEST##*'"id":'}
        SKILLZ_ID=${SKILLZ_ID%\}*}
        return 0
        ;;
    esac
  done
  return 1
}

skillz_next || exit 0
