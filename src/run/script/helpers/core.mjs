// The part of the JavaScript helper library that Node and Deno share. See skillz.ts for what each function does.

/**
 * @typedef {object} Io
 * @property {(onLine: (line: string) => void, onEnd: () => void) => void} read Hears the lines of standard input.
 * @property {(text: string) => void} write Writes to the protocol's stdout, whole and at once.
 * @property {(code: number) => void} exit Ends the process.
 * @property {() => Promise<new () => { run<T>(store: unknown, work: () => T): T; getStore(): unknown }>} storage Loads AsyncLocalStorage.
 */

/** Builds the library over the given input and output. */
function createSkillz(/** @type {Io} */ io) {
  /** The server could not do what was asked. */
  class SkillzError extends Error {
    constructor(message, { code = -32000, data } = {}) {
      super(message);
      this.name = "SkillzError";
      this.code = code;
      this.data = data;
    }
  }

  /** A called tool failed; `result` is its whole result. */
  class ToolError extends SkillzError {
    constructor(message, result) {
      super(message);
      this.name = "ToolError";
      this.result = result;
    }
  }

  const calls = new Map();
  const pending = new Map();
  let nextId = 1;
  let handler;
  let started = 0;
  let storage;

  const send = (message) => io.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");

  const current = () => {
    const own = storage?.getStore();
    if (own) return own;
    const [first] = calls.values();
    return first;
  };

  const tagged = (params) => {
    const call = calls.size > 1 ? current() : undefined;
    return call ? { ...params, _meta: { ...params._meta, "skillz/call": call.id } } : params;
  };

  const notify = (method, params) => send({ method, params: tagged(params) });

  const request = (method, params = {}) => {
    const call = current();
    return new Promise((resolve, reject) => {
      if (call?.abort.signal.aborted) return reject(call.abort.signal.reason);
      const id = nextId++;
      pending.set(id, { resolve, reject, call });
      send({ id, method, params: tagged(params) });
    });
  };

  const answered = ({ id, result, error }) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if (error) waiting?.reject(new SkillzError(error.message ?? "The server refused", error));
    else waiting?.resolve(result);
  };

  const cancel = ({ id, reason } = {}) => {
    const call = calls.get(id);
    if (!call) return;
    const error = new SkillzError(reason ?? "The call was cancelled", { code: -32800 });
    call.abort.abort(error);
    for (const [key, waiting] of pending) {
      if (waiting.call !== call) continue;
      pending.delete(key);
      waiting.reject(error);
    }
  };

  const perform = async (call) => {
    let answer;
    try {
      const given = { ...call.context, signal: call.abort.signal };
      const work = async () => await handler(call.arguments, given);
      const result = await (storage ? storage.run(call, work) : work());
      answer = { result: result === undefined ? null : result };
    } catch (error) {
      answer = { error: describe(error) };
    }
    calls.delete(call.id);
    try {
      send({ id: call.id, ...answer });
    } catch (error) {
      send({ id: call.id, error: describe(error) });
    }
  };

  const describe = (error) => {
    if (!(error instanceof Error)) return { code: -32000, message: String(error) };
    // deno-lint-ignore no-console -- the stack of a failure goes to stderr, where the server takes it up
    console.error(error.stack ?? String(error));
    const name = error.name && error.name !== "Error" && !(error instanceof SkillzError)
      ? `${error.name}: `
      : "";
    return {
      code: error.code === -32800 ? -32800 : -32000,
      message: name + error.message,
      data: { type: error.name },
    };
  };

  const execute = async ({ id, params = {} }) => {
    const call = {
      id,
      arguments: params.arguments ?? {},
      context: params.context ?? {},
      abort: new AbortController(),
    };
    calls.set(id, call);
    // Only a process that serves several calls has to tell them apart.
    if (++started === 2) storage = new (await io.storage())();
    await perform(call);
  };

  const onLine = (line) => {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (message.method === "execute") execute(message);
    else if (message.method === "cancel") cancel(message.params);
    else if (message.method === undefined) answered(message);
  };

  const tool = (work) => {
    if (typeof work !== "function") {
      throw new TypeError("Cannot make a tool: give tool() a function (args, context) => result");
    }
    const first = handler === undefined;
    handler = work;
    // The module is read to its end first, so that what is declared below is there.
    if (first) setTimeout(() => io.read(onLine, () => io.exit(0)));
    return work;
  };

  const log = (message, level = "info", data = undefined) =>
    notify("log", { level, message: typeof message === "string" ? message : JSON.stringify(message), data });

  const call = async (name, args = {}) => {
    const result = await request("tools/call", { name, arguments: args });
    if (result.isError) throw new ToolError(result.output || "The tool failed", result);
    return result.structuredContent ?? result.output;
  };

  const elicit = (message, schema = {}, more = {}) => {
    const requestedSchema = "type" in schema && typeof schema.type === "string"
      ? schema
      : { type: "object", properties: schema, required: Object.keys(schema) };
    return request("elicitation/create", { message, requestedSchema, ...more });
  };

  const sample = async (messages, { maxTokens = 1000, ...more } = {}) => {
    const list = typeof messages === "string"
      ? [{ role: "user", content: { type: "text", text: messages } }]
      : messages;
    const result = await request("sampling/createMessage", { messages: list, maxTokens, ...more });
    return result.content?.type === "text" ? result.content.text : result;
  };

  const memory = {
    get: async (key, fallback = undefined) => {
      const { value, found = value !== null } = await request("memory/get", { key });
      return found ? value : fallback;
    },
    set: async (key, value, ttl = undefined) => {
      // As an option it is often written too.
      const seconds = ttl?.ttl ?? ttl;
      await request("memory/set", { key, value: value === undefined ? null : value, ttl: seconds });
    },
    list: async (prefix = undefined) => (await request("memory/list", { prefix })).keys,
    delete: async (key) => (await request("memory/delete", { key })).deleted,
  };

  const resources = {
    list: async () => (await request("resources/list")).resources,
    read: async (uri) => (await request("resources/read", { uri })).contents,
  };

  const context = new Proxy({}, {
    get: (_target, name) => current()?.context[name],
    has: (_target, name) => name in (current()?.context ?? {}),
    ownKeys: () => Reflect.ownKeys(current()?.context ?? {}),
    getOwnPropertyDescriptor: (_target, name) => {
      const value = current()?.context[name];
      return value === undefined ? undefined : { value, enumerable: true, configurable: true };
    },
  });

  return {
    tool,
    progress: (progress, total = undefined, message = undefined) =>
      notify("progress", { progress, total, message }),
    log,
    stream: (data, more = {}) => notify("stream", { data, ...more }),
    memory,
    resources,
    call,
    elicit,
    sample,
    roots: async () => (await request("roots/list")).roots,
    context,
    SkillzError,
    ToolError,
  };
}

export { createSkillz };
