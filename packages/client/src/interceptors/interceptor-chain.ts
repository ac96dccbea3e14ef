import { describe, knownFunctions } from "../check-options.ts";
import { InvalidConfigurationError } from "../errors.ts";
import type { Logger } from "../logger.ts";

/** Interceptors of one producer or consumer. What one of them throws is logged, and the next is called all the same. */
export class InterceptorChain<I extends object> {
  readonly #interceptors: readonly I[];
  readonly #logger: Logger;

  constructor(interceptors: readonly I[], logger: Logger) {
    this.#interceptors = interceptors;
    this.#logger = logger;
  }

  /** Calls each in turn. */
  tell(hook: string, call: (interceptor: I) => unknown): void {
    for (const interceptor of this.#interceptors) this.#guarded(hook, () => call(interceptor));
  }

  /** Passes a value through all of them; one that throws, or answers nothing, passes on what it was given. */
  pass<V>(hook: string, value: V, call: (interceptor: I, value: V) => V | undefined): V {
    let current = value;
    for (const interceptor of this.#interceptors) {
      current = this.#guarded(hook, () => call(interceptor, current)) ?? current;
    }
    return current;
  }

  #guarded<R>(hook: string, call: () => R): R | undefined {
    try {
      const result = call();
      if (result instanceof Promise) result.catch((error: unknown) => this.#failed(hook, error));
      return result;
    } catch (error) {
      this.#failed(hook, error);
      return undefined;
    }
  }

  #failed(hook: string, error: unknown): void {
    this.#logger.error(`an interceptor failed in ${hook}: ${String(error)}`);
  }
}

/** The chain of what was given; undefined for none. Throws an InvalidConfigurationError for what is no list of objects. */
export function chainOf<I extends object>(interceptors: readonly I[], logger: Logger): InterceptorChain<I> | undefined {
  return interceptors.length === 0 ? undefined : new InterceptorChain(interceptors, logger);
}

/** Throws an InvalidConfigurationError that names what is wrong. `hooks` has the name of each hook as a key. */
export function checkInterceptors<I extends object>(
  value: readonly I[] | undefined,
  hooks: Readonly<Record<keyof I, true>>,
): readonly I[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    throw new InvalidConfigurationError(`interceptors takes an array of interceptors, not ${describe(value)}`);
  }
  for (const interceptor of value as readonly unknown[]) {
    if (typeof interceptor !== "object" || interceptor === null) {
      throw new InvalidConfigurationError(
        `interceptors takes an array of interceptors, not of ${describe(interceptor)}`,
      );
    }
    knownFunctions("an interceptor", interceptor, hooks);
    for (const hook of Object.keys(hooks)) {
      const given = (interceptor as Record<string, unknown>)[hook];
      if (given === undefined || typeof given === "function") continue;
      throw new InvalidConfigurationError(`an interceptor's ${hook} takes a function, not ${describe(given)}`);
    }
  }
  return value;
}
