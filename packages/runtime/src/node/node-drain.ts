/** How often `createQuickDrain` lets the event loop turn: once in so many drains. */
const TURN_EVERY = 8;

/** Resolves when everything that could run without time passing has run: what a simulation waits for before it moves time. */
export function drainMicrotasks(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * The same for code that uses promises and microtasks only, a fifth faster in a whole simulation: the event loop, which asks
 * the system each time it turns, turns in one drain of eight. A rejection that nobody handles is told then; one that is
 * handled late, but before that, is not. It counts its drains, so each simulation needs one of its own to be the same twice.
 */
export function createQuickDrain(): () => Promise<void> {
  let drains = 0;
  return () => {
    if (++drains % TURN_EVERY === 0) return drainMicrotasks();
    // ticks run when no microtask is left, among those that microtasks ask for
    return new Promise((resolve) => process.nextTick(resolve));
  };
}
