import type { Due } from "./claim.ts";
import type { Target } from "./target.ts";

/** Whose turn it is to send: each target gets one, then the next, so that none takes all the room there is. */
export class RoundRobin {
  #left: Iterator<Target>;

  constructor(readonly targets: ReadonlyMap<number, Target>) {
    this.#left = targets.values();
  }

  /** The next delivery to send now; null: no target has one. */
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
