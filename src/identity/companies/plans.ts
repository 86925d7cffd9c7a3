/** The plans of companies, by id. */
const plans: Readonly<Record<number, string>> = { 1: "standard", 2: "premium" };

export const standardPlan = 1;
export const premiumPlan = 2;

/** The plan as `{id, name}`. */
export function presentPlan(id: number): { id: number; name: string } {
  return { id, name: plans[id] ?? "standard" };
}
