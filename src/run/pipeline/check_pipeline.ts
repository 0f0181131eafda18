import { errorText } from "../../base/errors.ts";
import { isJsonObject, type JsonObject, jsonTypeOf, type JsonValue } from "../../base/json.ts";
import type { PipelineStep } from "../../tools/tool.ts";
import { argumentProblems } from "./_check_args.ts";
import { checkReference, type Visible } from "./_check_reference.ts";
import { findCycle } from "./_cycles.ts";
import { stepNames } from "./_step_names.ts";
import { parseCondition } from "./condition.ts";
import type { GetTool, KnownTool } from "./known_tool.ts";
import { parseTemplate, type Reference, RESERVED_NAMES, textsIn } from "./references.ts";

/** A pipeline as it is to be made; the fields are those of its manifest. */
export interface PipelineDraft {
  /** Its name: no step may lead back to it. */
  readonly name: string;
  /** What it does, in order. */
  readonly steps: readonly PipelineStep[];
  /** Which value is the result; the last step's when absent. */
  readonly output?: JsonValue;
  /** What `$input` may hold; without properties it may hold anything. */
  readonly input_schema?: JsonObject;
}

const STEP_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const MAX_NESTING = 5;

/**
 * Everything that can be known to be wrong with a pipeline before it runs, one line each: unknown tools and steps,
 * references to later steps or to fields that a tool does not answer, circles, conditions that can't be read,
 * arguments that don't fit. Empty when there is nothing.
 */
export function checkPipeline(draft: PipelineDraft, getTool: GetTool): string[] {
  const check = new Check(draft, getTool);
  return check.run();
}

/** What is visible at a place: names with what is known of their values. */
type Scope = ReadonlyMap<string, Visible>;

class Check {
  readonly #draft: PipelineDraft;
  readonly #getTool: GetTool;
  readonly #names: ReadonlyMap<PipelineStep, string>;
  readonly #problems: string[] = [];

  constructor(draft: PipelineDraft, getTool: GetTool) {
    this.#draft = draft;
    this.#getTool = getTool;
    this.#names = stepNames(draft.steps);
  }

  run(): string[] {
    const { steps, output, input_schema } = this.#draft;
    if (steps.length === 0) this.#problems.push("it has no steps, it needs at least one");
    this.#checkNames();
    let scope: Scope = new Map([["input", inputOf(input_schema)]]);
    for (const step of steps) {
      const after = this.#step(step, scope, 0);
      // A step that may not run leaves $prev as it was, so it may be either.
      const prev: Visible = step.condition === undefined ? after.value : { content: after.value.content };
      scope = new Map([...scope, ...after.names, ["prev", prev]]);
    }
    this.#texts(output, { where: "output", at: "", scope });
    const cycle = findCycle(this.#draft, this.#getTool);
    if (cycle) this.#problems.push(`it would call itself without end: ${cycle}`);
    return this.#problems;
  }

  #checkNames(): void {
    const seen = new Set<string>();
    for (const [step, name] of this.#names) {
      const own = step.name === undefined ? "its default name" : "its name";
      if (!STEP_NAME.test(name)) {
        this.#problem(
          step,
          `${own} must be 1 to 64 letters, digits, _ and -, not beginning with a digit or -`,
        );
      } else if (RESERVED_NAMES.has(name)) {
        this.#problem(step, `${own} "${name}" has a meaning of its own, choose another`);
      } else if (seen.has(name)) this.#problem(step, `${own} "${name}" is taken by an earlier step`);
      seen.add(name);
    }
  }

  /** Checks a step; returns what later steps see of it. */
  #step(step: PipelineStep, scope: Scope, nesting: number): { names: Scope; value: Visible } {
    const inner = step.for_each === undefined ? scope : this.#loop(step, scope);
    if (step.condition !== undefined) this.#condition(step, step.condition, inner);
    const name = this.#names.get(step) ?? "";
    let names = new Map<string, Visible>();
    let value: Visible;
    if (step.parallel) {
      if (step.tool !== undefined) {
        this.#problem(step, "it has tool and parallel, only one of them is possible");
      }
      if (step.args !== undefined) this.#problem(step, "args belong to the steps inside parallel");
      const group = this.#group(step.parallel, inner, nesting);
      value = group.value;
      // What happens for each item has as many values as items: only the list is visible.
      if (step.for_each === undefined) names = new Map(group.names);
    } else value = this.#call(step, inner);
    if (step.for_each !== undefined) value = { ...listOf(value), content: false };
    if (step.continue_on_error) value = { content: value.content };
    names.set(name, value);
    return { names, value };
  }

  #group(steps: readonly PipelineStep[], scope: Scope, nesting: number): { names: Scope; value: Visible } {
    const names = new Map<string, Visible>();
    const properties: JsonObject = {};
    if (nesting >= MAX_NESTING) {
      this.#problems.push(`parallel is nested deeper than ${MAX_NESTING} levels`);
      return { names, value: { content: false } };
    }
    for (const step of steps) {
      const after = this.#step(step, scope, nesting + 1);
      for (const [name, value] of after.names) names.set(name, value);
      properties[this.#names.get(step) ?? ""] = after.value.schema ?? {};
    }
    return {
      names,
      value: { schema: { type: "object", properties, additionalProperties: false }, content: false },
    };
  }

  #call(step: PipelineStep, scope: Scope): Visible {
    const { tool, args } = step;
    let known: KnownTool | undefined;
    if (tool === undefined) this.#problem(step, "it has neither tool nor parallel");
    else if (tool !== this.#draft.name) {
      known = this.#getTool(tool);
      if (known === undefined) this.#problem(step, `there is no tool "${tool}"`);
    }
    this.#texts(args, { where: "args", at: this.#label(step), scope });
    if (args !== undefined && !isJsonObject(args) && !isReferenceText(args)) {
      this.#problem(step, `args is ${jsonTypeOf(args)}, it must be an object or a reference to one`);
    } else if (known && typeof args !== "string") {
      for (const problem of argumentProblems(args, known.input_schema)) this.#problem(step, problem);
    }
    return { ...(known?.output_schema ? { schema: known.output_schema } : {}), content: true };
  }

  #loop(step: PipelineStep, scope: Scope): Scope {
    const text = step.for_each ?? "";
    let list: Visible = { content: false };
    if (!isReferenceText(text)) {
      this.#problem(step, `for_each must be one reference to a list, such as "$input.cities"`);
    } else {
      const [reference] = parseTemplate(text);
      if (typeof reference === "object") {
        list = this.#reference(reference, { where: "for_each", at: this.#label(step), scope });
      }
    }
    const { items } = list.schema ?? {};
    const item: Visible = { ...(isJsonObject(items) ? { schema: items } : {}), content: false };
    return new Map([...scope, ["item", item], ["index", { schema: { type: "integer" }, content: false }]]);
  }

  #condition(step: PipelineStep, text: string, scope: Scope): void {
    try {
      for (const reference of parseCondition(text).references) {
        this.#reference(reference, { where: "condition", at: this.#label(step), scope });
      }
    } catch (error) {
      this.#problem(step, `condition: ${reason(error)}`);
    }
  }

  #texts(
    value: JsonValue | undefined,
    { where, at, scope }: { where: string; at: string; scope: Scope },
  ): void {
    for (const found of textsIn(value, where)) {
      try {
        for (const part of parseTemplate(found.text)) {
          if (typeof part !== "string") this.#reference(part, { where: found.where, at, scope });
        }
      } catch (error) {
        this.#problems.push(`${at}${found.where}: ${reason(error)}`);
      }
    }
  }

  #reference(
    reference: Reference,
    { where, at, scope }: { where: string; at: string; scope: Scope },
  ): Visible {
    const all = new Set(this.#names.values());
    const found = checkReference(reference, { scope, all });
    if ("problem" in found) {
      this.#problems.push(`${at}${where}: ${found.problem}`);
      return { content: false };
    }
    return found;
  }

  #problem(step: PipelineStep, text: string): void {
    this.#problems.push(`${this.#label(step)}${text}`);
  }

  #label(step: PipelineStep): string {
    const number = [...this.#names.keys()].indexOf(step) + 1;
    return `step ${number}${step.name === undefined ? "" : ` (${step.name})`}: `;
  }
}

/** A schema without properties allows everything; the same goes for `$input`. */
function inputOf(schema: JsonObject | undefined): Visible {
  return { ...(schema ? { schema } : {}), content: false };
}

function listOf({ schema }: Visible): { schema: JsonObject } {
  return { schema: { type: "array", ...(schema ? { items: schema } : {}) } };
}

function isReferenceText(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  try {
    const parts = parseTemplate(value);
    return parts.length === 1 && typeof parts[0] === "object";
  } catch {
    return false;
  }
}

function reason(error: unknown): string {
  return errorText(error).replace(/^Cannot read \w+(?: |: )/, "");
}
