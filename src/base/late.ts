import { SkillzError } from "./errors.ts";

/** What all methods of `T` must be like so that another object can stand for it. */
type AnswersLater<T> = {
  [Key in keyof T]: T[Key] extends ((...args: never[]) => PromiseLike<unknown>) | undefined ? T[Key] : never;
};

/** Options of {@linkcode late}. */
export interface LateOptions<T> {
  /** Methods that have nothing to do as long as there is no object; they make none. */
  readonly needless?: readonly (keyof T)[];
}

/**
 * Stands for an object that is made when one of its methods is first called: at the start it costs neither time nor
 * memory. Disposing it before makes nothing; a making that failed is tried again by the next call.
 */
export function late<T extends AnswersLater<T>>(
  make: () => Promise<T>,
  options: LateOptions<T> = {},
): T & AsyncDisposable {
  let made: Promise<T> | undefined;
  let closing: Promise<void> | undefined;
  const get = async () => {
    if (closing) throw new SkillzError("cancelled", "Cannot begin: the server is ending");
    const attempt = made ??= make();
    try {
      return await attempt;
    } catch (error) {
      if (made === attempt) made = undefined;
      throw error;
    }
  };
  const close = async () => {
    const target: Partial<AsyncDisposable> | undefined = await made?.catch(() => undefined);
    await target?.[Symbol.asyncDispose]?.();
  };
  const methods = new Map<PropertyKey, (...args: unknown[]) => Promise<unknown>>();
  const methodOf = (key: PropertyKey) => async (...args: unknown[]) => {
    if (!made && options.needless?.includes(key as keyof T)) return undefined;
    const target = await get() as Record<PropertyKey, ((...args: unknown[]) => unknown) | undefined>;
    return await target[key]?.(...args);
  };
  return new Proxy({} as T & AsyncDisposable, {
    get(_, key) {
      if (key === Symbol.asyncDispose) return () => closing ??= close();
      // Whatever is returned from an async function is asked for `then`: this is no promise.
      if (key === "then") return undefined;
      const known = methods.get(key) ?? methodOf(key);
      methods.set(key, known);
      return known;
    },
  });
}
