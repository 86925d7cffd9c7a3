/** Custom fields in the bodies of events: readers get those that they see now. */
import type { Fields } from "../../fields/field_sets.ts";
import { cutItem, findObjectEnd } from "../../core/json_items.ts";

const list = '"custom_fields":[';
const custom = /\{"id":"([0-9a-f-]{36})","type":"/g;

/**
 * Returns a body without the custom fields that are not among those that the reader sees: of other teams and groups,
 * and deleted ones.
 */
export function limitToSeenFields(body: string, seen: ReadonlySet<string>): string {
  if (![...body.matchAll(custom)].some(([, id]) => !seen.has(id!))) return body;
  let left = body;
  // Inside a text the quotation marks are escaped, so this is always the list of a record.
  for (let from = left.indexOf(list); from >= 0; from = left.indexOf(list, from + 1)) {
    for (let at = from + list.length; left[at] === "{";) {
      const [, id] = /^\{"id":"([^"]*)"/.exec(left.slice(at, at + 60)) ?? [];
      if (id === undefined || seen.has(id)) {
        at = findObjectEnd(left, at);
        if (left[at] === ",") at++;
      } else left = cutItem(left, at);
    }
  }
  return left;
}

const idsOf = new WeakMap<Fields, ReadonlySet<string>>();

/** Returns the ids of the custom fields of a set. */
export function fieldIds(fields: Fields): ReadonlySet<string> {
  const known = idsOf.get(fields);
  if (known) return known;
  const ids = new Set(Object.values(fields).flatMap(({ custom }) => custom.map(({ id }) => id)));
  idsOf.set(fields, ids);
  return ids;
}
