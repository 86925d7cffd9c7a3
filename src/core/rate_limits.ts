/** The headers `RateLimit` and `RateLimit-Policy`. */

export interface Policy {
  /** The policy's name in the headers. */
  readonly name: string;
  /** The quota of a window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

interface Standing {
  readonly policy: Policy;
  /** The remaining quota, and the seconds until it is reset. Null: not disclosed. */
  readonly left: number | null;
  readonly seconds: number;
}

/** The policies of a call, with its state under each. */
export class Standings {
  /** Whether there is nothing to report. */
  silent = true;
  #standings: Map<string, Standing> | null = null;

  /** Policies whose remaining quota is not disclosed. */
  declare(policies: readonly Policy[]): void {
    for (const policy of policies) this.#put({ policy, left: null, seconds: policy.window });
  }

  set(policy: Policy, left: number, seconds: number): void {
    this.#put({ policy, left: Math.max(left, 0), seconds });
  }

  /** Returns the headers that have something to report. */
  headers(): Record<string, string> {
    if (this.#standings === null) return {};
    const all = [...this.#standings.values()];
    const reported = all.filter(({ left }) => left !== null);
    return {
      "RateLimit-Policy": all.map(({ policy }) => written(policy)).join(", "),
      ...(reported.length === 0 ? {} : {
        RateLimit: reported.map(({ policy, left, seconds }) => `"${policy.name}";r=${left};t=${seconds}`)
          .join(
            ", ",
          ),
      }),
    };
  }

  #put(standing: Standing): void {
    this.silent = false;
    this.#standings ??= new Map();
    this.#standings.set(standing.policy.name, standing);
  }
}

function written({ name, quota, window }: Policy): string {
  return `"${name}";q=${quota};w=${window}`;
}
