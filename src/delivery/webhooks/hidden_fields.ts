/** Removes custom values that a subscription's user may not see from a body before it is sent. */
import { cutItem } from "../../core/json_items.ts";

/**
 * Returns the body without the custom fields of these ids (a JSON list, or null): byte by byte what GET
 * returns to that user.
 */
export function stripFields(body: string, hidden: string | null): string {
  if (hidden === null) return body;
  let left = body;
  for (const id of JSON.parse(hidden) as string[]) {
    const start = `{"id":${JSON.stringify(id)},"type":"`;
    for (let at = left.indexOf(start); at >= 0; at = left.indexOf(start, at)) left = cutItem(left, at);
  }
  return left;
}
