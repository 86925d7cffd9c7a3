/**
 * Budgets of records, in bytes of the JSON that answers them. A record takes 256 KiB at most, so that a page of 100 is
 * one that can be built and read. What makes it so without reading records when a definition changes:
 *
 * - An account, contact, product or team is what is fixed of its kind (`fixed`: its own columns, the fixed fields with
 *   their options, the categories of a product), the frames of its custom fields (`definitions`: names, labels and
 *   options, and room for what a choice can show, since that grows with its options), and the values that are not
 *   choices (`values`). Each part has a budget of its own and together they are a record. A change of a definition is
 *   judged by the definitions alone, a change of a record by its values alone, so neither reads the other.
 * - A lead type is what is its own and its relations paths. A path keeps its size beside it, so a change of a path is
 *   judged by the sizes that the lead types with it add up to, in the batch that changes it.
 * - Everything else (activities, notes, tasks, users, leads, cases) is judged as a whole when a call writes it. Leads
 *   and cases show other records inside; those stay within budgets of their own, so such a record can grow past 256 KiB
 *   by them, never without a bound. A list then ends its page early, see `page`.
 *
 * A guard in each batch refuses what was judged by something that has changed since, so two calls at once at a limit
 * do not pass it together.
 */
import { fieldError, invalid } from "./errors.ts";

const kibibyte = 1_024;

/** A record as it is answered. */
export const recordBudget = 256 * kibibyte;

/** The parts of an account, contact, product or team. Their sum is `recordBudget`. */
export const partBudgets = {
  fixed: 64 * kibibyte,
  definitions: 112 * kibibyte,
  values: 80 * kibibyte,
} as const;

/** The links of all fields of a kind of record; they are part of no record. */
export const linksBudget = 128 * kibibyte;
/** The orders of fields of a company. */
export const ordersBudget = 512 * kibibyte;

/** The paths of a lead type, together; a path alone must fit into one. */
export const pathsBudget = 160 * kibibyte;
/** A lead type without its paths. */
export const leadTypeBudget = recordBudget - pathsBudget;

/** The records of a page of a list. */
export const pageBudget = 100 * recordBudget;

/** How many there may be of something. */
export const counts = {
  /** Custom fields of a kind of record. */
  fields: 200,
  /** Options of a field. */
  options: 200,
  /** Options of all fields of a company. */
  companyOptions: 5_000,
  /** Activity types of a relations path, retired ones aside. */
  activityTypes: 100,
  /** Relations paths of a lead type. */
  paths: 50,
  /** Products of an activity, over all its product details. */
  products: 500,
  /** Teams, and roles, of a user, who shows each of them. */
  memberships: 200,
  /** Categories that a product names. */
  categories: 30,
} as const;

/** How many bytes the text takes in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Both halves of a surrogate pair take two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Whether the text takes more than so many bytes; looks at it only where that is near. */
export function isLarger(text: string, budget: number): boolean {
  return text.length > budget || (text.length * 3 > budget && bytesOf(text) > budget);
}

/**
 * Throws 422 `max` at `path` for a record that takes more than its budget. One that did so `before` may still be
 * changed, as long as it does not grow.
 */
export function checkRecordSize(
  after: { readonly text: string },
  path: string,
  before: (() => { readonly text: string }) | null = null,
  budget = recordBudget,
): void {
  if (!isLarger(after.text, budget)) return;
  const bytes = bytesOf(after.text);
  if (before && bytes <= bytesOf(before().text)) return;
  throw invalid(fieldError(path, "max", `The record would take ${bytes} bytes; at most ${budget}.`));
}
