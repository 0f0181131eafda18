import { SkillzError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import { compare, isTruthy, sameValue } from "./_compare.ts";
import { type Token, tokenize } from "./_condition_tokens.ts";
import type { Reference } from "./references.ts";

/** A condition that was read: what it refers to, and how to tell whether it holds. */
export interface Condition {
  /** What it looks at, in the order of the text. */
  readonly references: readonly Reference[];
  /** Whether it holds with the values that `lookUp` gives. Throws when unlike things are ordered. */
  holds(lookUp: (reference: Reference) => JsonValue | undefined): boolean;
}

type LookUp = (reference: Reference) => JsonValue | undefined;
type Evaluate = (lookUp: LookUp) => JsonValue | undefined;

const MAX_CHARACTERS = 4000;
const MAX_DEPTH = 50;

/**
 * Reads a condition: `== != < <= > >= && || !`, parentheses, references, numbers, texts in quotes, true, false, null.
 * It is read by a parser of our own and never run as code.
 *
 * @throws `SkillzError("invalid_input")` that names the position.
 */
export function parseCondition(text: string): Condition {
  if (text.length > MAX_CHARACTERS) {
    throw new SkillzError(
      "invalid_input",
      `Cannot read condition: it has ${text.length} characters, at most ${MAX_CHARACTERS} are allowed`,
    );
  }
  const parser = new Parser(tokenize(text));
  const evaluate = parser.whole();
  return { references: parser.references, holds: (lookUp) => isTruthy(evaluate(lookUp)) };
}

/** Recursive descent; a method for each level of binding, the loosest first. */
class Parser {
  readonly references: Reference[] = [];
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Evaluate {
    const evaluate = this.#or();
    const rest = this.#peek();
    if (rest.kind !== "end") throw unexpected(rest, "an operator or the end");
    return evaluate;
  }

  #or(): Evaluate {
    let left = this.#and();
    while (this.#take("||")) {
      const [first, second] = [left, this.#and()];
      left = (lookUp) => isTruthy(first(lookUp)) || isTruthy(second(lookUp));
    }
    return left;
  }

  #and(): Evaluate {
    let left = this.#comparison();
    while (this.#take("&&")) {
      const [first, second] = [left, this.#comparison()];
      left = (lookUp) => isTruthy(first(lookUp)) && isTruthy(second(lookUp));
    }
    return left;
  }

  #comparison(): Evaluate {
    const left = this.#not();
    const token = this.#peek();
    if (token.kind !== "operator") return left;
    switch (token.text) {
      case "==":
      case "===":
      case "!=":
      case "!==": {
        this.#at++;
        const [right, wanted] = [this.#not(), token.text.startsWith("=")];
        return (lookUp) => sameValue(left(lookUp), right(lookUp)) === wanted;
      }
      case "<":
      case "<=":
      case ">":
      case ">=": {
        this.#at++;
        const [right, operator] = [this.#not(), token.text];
        return (lookUp) => compare(operator, [left(lookUp), right(lookUp)]);
      }
      default:
        return left;
    }
  }

  #not(): Evaluate {
    if (!this.#take("!")) return this.#value();
    const inner = this.#deeper(() => this.#not());
    return (lookUp) => !isTruthy(inner(lookUp));
  }

  #value(): Evaluate {
    const token = this.#peek();
    this.#at++;
    if (token.kind === "literal") return () => token.value;
    if (token.kind === "reference") {
      this.references.push(token.reference);
      return (lookUp) => lookUp(token.reference);
    }
    if (token.kind === "operator" && token.text === "(") {
      const inner = this.#deeper(() => this.#or());
      if (!this.#take(")")) throw unexpected(this.#peek(), '")"');
      return inner;
    }
    throw unexpected(token, "a value");
  }

  #deeper(read: () => Evaluate): Evaluate {
    if (++this.#depth > MAX_DEPTH) {
      throw new SkillzError(
        "invalid_input",
        `Cannot read condition: it is nested deeper than ${MAX_DEPTH} levels`,
      );
    }
    const evaluate = read();
    this.#depth--;
    return evaluate;
  }

  #take(text: string): boolean {
    const token = this.#peek();
    if (token.kind !== "operator" || token.text !== text) return false;
    this.#at++;
    return true;
  }

  #peek(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] ?? { kind: "end", at: 0 };
  }
}

function unexpected(token: Token, wanted: string): SkillzError {
  const found = token.kind === "end" ? "it ends" : `there is ${token.text}`;
  return new SkillzError(
    "invalid_input",
    `Cannot read condition: ${found} at character ${token.at + 1}, where ${wanted} is expected`,
  );
}
