/** Many conditions on one text as one: a statement with hundreds of terms takes long to prepare, and much memory. */
import type { Condition, Node } from "./parse.ts";

/**
 * The same nodes with conditions on one field together. `by`: how the nodes are combined. One of several texts is
 * looked for with a list as the value of `ct`, `nct`, `ew` or `in`.
 */
export function joinTexts(nodes: readonly Node[], by: "and" | "or"): Node[] {
  const joined: Node[] = [];
  const groups = new Map<string, Condition[]>();
  for (const node of nodes) {
    const to = node.kind === "condition" ? operatorOf(node, by) : null;
    if (node.kind !== "condition" || to === null) {
      joined.push(node);
      continue;
    }
    const key = JSON.stringify([idOf(node), to]);
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  }
  for (const group of groups.values()) {
    const [first, ...others] = group;
    if (others.length === 0) joined.push(first!);
    else {
      const value = group.flatMap(({ value }) =>
        typeof value === "object" ? value : [value as string | number]
      );
      joined.push({ ...first!, operator: operatorOf(first!, by)!, value });
    }
  }
  return joined;
}

/** The operator of the condition that stands for several such ones; null: each stands for itself. */
function operatorOf(
  { operator, field: { value } }: Condition,
  by: "and" | "or",
): Condition["operator"] | null {
  if (value.kind !== "column") return null;
  if (by === "and") return operator === "ct" ? "every" : operator === "nct" ? "nct" : null;
  if (operator === "ct" || operator === "ew") return operator;
  return operator === "eq" || operator === "in" ? "in" : null;
}

/** What two conditions on the same field of the same records have in common. */
function idOf({ field: { relation, value, only, type } }: Condition): unknown[] {
  const of = value.kind === "column" ? value.sql("r") : null;
  return [relation.name, of?.sql, of?.args, type, only?.test("r").sql ?? null];
}
