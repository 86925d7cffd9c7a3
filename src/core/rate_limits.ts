/** The headers `RateLimit` and `RateLimit-Policy`. */

export interface Policy {
  /** The policy's name in the headers. */
  readonly name: string;
  /** The quota of a window. */
  readonly quota: number;
  /** Seconds. */
  readonly window: number;
}

interface LimitState {
  readonly policy: Policy;
  /** The remaining quota, and the seconds until it is reset. Null: not disclosed. */
  readonly left: number | null;
  readonly seconds: number;
}

/** The policies of a call by name, with its state under each. */
export type LimitStates = Map<string, LimitState>;

/** Reports policies without their remaining quota. */
export function declareLimits(states: LimitStates, policies: readonly Policy[]): void {
  for (const policy of policies) states.set(policy.name, { policy, left: null, seconds: policy.window });
}

/** Reports a policy with its remaining quota, and the seconds until it is reset. */
export function reportLimit(states: LimitStates, policy: Policy, left: number, seconds: number): void {
  states.set(policy.name, { policy, left: Math.max(left, 0), seconds });
}

/** Returns the headers of a call that has policies. */
export function composeLimitHeaders(states: LimitStates): Record<string, string> {
  const all = [...states.values()];
  const reported = all.filter(({ left }) => left !== null)
    .map(({ policy, left, seconds }) => `"${policy.name}";r=${left};t=${seconds}`);
  return {
    "RateLimit-Policy": all.map(({ policy }) => formatPolicy(policy)).join(", "),
    ...(reported.length === 0 ? {} : { RateLimit: reported.join(", ") }),
  };
}

function formatPolicy({ name, quota, window }: Policy): string {
  return `"${name}";q=${quota};w=${window}`;
}
