/** Lets the time that the process measures pass only as the test says, so that no test depends on its machine. */
export interface StillTime extends Disposable {
  pass(ms: number): void;
}

/** Stops `performance.now` at 0 until it is disposed. Timers and the wall clock go on. */
export function stopTime(): StillTime {
  let now = 0;
  Object.defineProperty(performance, "now", { value: () => now, configurable: true });
  return {
    pass: (ms) => now += ms,
    // The original is a member of the prototype.
    [Symbol.dispose]: () => Reflect.deleteProperty(performance, "now"),
  };
}
