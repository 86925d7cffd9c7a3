/** What callers are told of the limits that they are held to: the headers `RateLimit` and `RateLimit-Policy`. */

export interface Policy {
  /** As the headers name it. */
  readonly name: string;
  /** So much is let pass within a window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

interface Standing {
  readonly policy: Policy;
  /** How much is left, and for how many seconds that must do. Null: not told. */
  readonly left: number | null;
  readonly seconds: number;
}

/** Where one call stands with the policies that it falls under. */
export class Standings {
  #standings: Map<string, Standing> | null = null;

  /** Whether there is nothing to tell. */
  get silent(): boolean {
    return this.#standings === null;
  }

  /** Policies that hold, whatever is left of them. */
  declare(policies: readonly Policy[]): void {
    for (const policy of policies) this.#put({ policy, left: null, seconds: policy.window });
  }

  set(policy: Policy, left: number, seconds: number): void {
    this.#put({ policy, left: Math.max(left, 0), seconds });
  }

  /** Both headers, as far as there is something to tell. */
  headers(): Record<string, string> {
    if (this.#standings === null) return {};
    const all = [...this.#standings.values()];
    const told = all.filter(({ left }) => left !== null);
    return {
      "RateLimit-Policy": all.map(({ policy }) => written(policy)).join(", "),
      ...(told.length === 0 ? {} : {
        RateLimit: told.map(({ policy, left, seconds }) => `"${policy.name}";r=${left};t=${seconds}`).join(
          ", ",
        ),
      }),
    };
  }

  #put(standing: Standing): void {
    this.#standings ??= new Map();
    this.#standings.set(standing.policy.name, standing);
  }
}

function written({ name, quota, window }: Policy): string {
  return `"${name}";q=${quota};w=${window}`;
}
