import type { AnySchemaObject, ErrorObject, ValidateFunction } from "ajv";
import { SkillzError } from "../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf } from "../base/json.ts";
import { treeFault } from "./_json_bounds.ts";
import { problemTexts } from "./_problem_text.ts";

/** Checks values against users' JSON Schemas, each compiled when it is first needed and kept as long as its object. */
export interface Validator {
  /**
   * What is wrong with a value, one sentence each with path, wanted and given type, never with the value; empty when it
   * fits. Also refuses what no schema sees: keys that would change all objects, and nesting without bound.
   *
   * @throws `SkillzError("invalid_input")` when the schema itself can't be used.
   */
  problems(schema: JsonObject, value: unknown): Promise<string[]>;
  /** Compiles a schema ahead. Throws like {@linkcode Validator.problems}. */
  compile(schema: JsonObject): Promise<void>;
}

/** Keywords at the root that ask nothing of an object. */
const SILENT = new Set(["$schema", "$comment", "title", "description", "examples", "default"]);

/** A validator of its own; one for each server is enough. */
export function createValidator(): Validator {
  // Weak, so that the schema of a replaced tool goes with the tool.
  const compiled = new WeakMap<JsonObject, Promise<ValidateFunction>>();
  const compile = (schema: JsonObject): Promise<ValidateFunction> => {
    let validate = compiled.get(schema);
    if (!validate) {
      validate = compileSchema(schema);
      compiled.set(schema, validate);
    }
    return validate;
  };
  return {
    async problems(schema, value) {
      const fault = treeFault(value);
      if (fault !== undefined) return [fault];
      if (asksNothing(schema)) return isJsonObject(value) ? [] : [`must be object, is ${jsonTypeOf(value)}`];
      const validate = await compile(schema);
      return run(validate, value) ? [] : problemTexts(validate.errors ?? ([] as ErrorObject[]), value);
    },
    async compile(schema) {
      if (!asksNothing(schema)) await compile(schema);
    },
  };
}

/** Most tools without arguments have such a schema; they get by without loading the compiler. */
function asksNothing(schema: JsonObject): boolean {
  return Object.entries(schema).every(([key, value]) =>
    SILENT.has(key) || (key === "type" && value === "object") ||
    (key === "properties" && isJsonObject(value) && Object.keys(value).length === 0)
  );
}

async function compileSchema(schema: JsonObject): Promise<ValidateFunction> {
  const Engine = await engineFor(schema.$schema);
  const { default: addFormats } = await import("ajv-formats");
  // An engine of its own for each schema: what one declares (`$id`, anchors) must not be seen by another.
  const engine = new Engine({
    allErrors: true,
    logger: false,
    // Else `required: ["toString"]` would hold for every object.
    ownProperties: true,
    strict: false,
    validateSchema: false,
  });
  addFormats.default(engine);
  try {
    return engine.compile(schema as AnySchemaObject);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new SkillzError("invalid_input", `Cannot use the schema: ${why}`, {
      cause,
      hint: "Mend the tool's input_schema or output_schema",
    });
  }
}

async function engineFor(dialect: unknown) {
  if (typeof dialect === "string" && dialect.includes("2019-09")) return (await import("ajv/2019")).Ajv2019;
  if (typeof dialect === "string" && /draft-0[67]/.test(dialect)) return (await import("ajv")).Ajv;
  return (await import("ajv/2020")).Ajv2020;
}

/** Recursive schemas recurse with the value; the bounds on that keep the stack, but not for every schema. */
function run(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    if (error instanceof RangeError) {
      throw new SkillzError("invalid_input", "Cannot validate the value: its schema recurses too deeply", {
        cause: error,
      });
    }
    throw error;
  }
}
