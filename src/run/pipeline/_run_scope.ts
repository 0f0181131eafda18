import { SkillzError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import type { Scope } from "./resolve.ts";
import type { StepValue } from "./step_value.ts";

/** The values that one place of a run sees; a copy can be changed without the original. */
export class RunScope implements Scope {
  readonly #values: Map<string, StepValue>;

  /** Starts with these values. */
  constructor(values: Iterable<readonly [string, StepValue]>) {
    this.#values = new Map(values);
  }

  /** The value of a name. */
  value(name: string): StepValue {
    const found = this.#values.get(name);
    if (found) return found;
    throw new SkillzError("invalid_input", `Cannot resolve $${name}: there is no value of that name`);
  }

  /** Gives a name its value, for steps that come later. */
  set(name: string, value: StepValue): void {
    this.#values.set(name, value);
  }

  /** A copy with more values, for what happens at the same time. */
  with(values: Readonly<Record<string, JsonValue>>): RunScope {
    const own = Object.entries(values).map(([name, value]) => [name, { value }] as const);
    return new RunScope([...this.#values, ...own]);
  }
}
