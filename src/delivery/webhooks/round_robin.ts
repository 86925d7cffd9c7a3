import type { Due } from "./claim.ts";
import type { Target } from "./target.ts";

/** Gives each target one turn after the other, so that none takes all capacity. */
export class RoundRobin {
  #left: Iterator<Target>;

  constructor(readonly targets: ReadonlyMap<number, Target>) {
    this.#left = targets.values();
  }

  /** Returns the next delivery to send; null when no target has one. */
  next(): { readonly target: Target; readonly due: Due } | null {
    const now = performance.now();
    for (let looked = 0; looked <= this.targets.size; looked++) {
      const { value: target, done } = this.#left.next();
      const due = done ? null : target.next(now);
      if (due) return { target, due };
      if (done) this.#left = this.targets.values();
    }
    return null;
  }
}
