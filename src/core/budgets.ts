/**
 * Size limits of records, in bytes of their JSON.
 *
 * A record takes at most 256 KiB, so that a page of 100 can be built and read. Limits are checked without
 * reading records when a definition changes:
 *
 * - An account, contact, product or team has three parts with a budget each: its fixed part (`fixed`: own
 *   columns, fixed fields with their options, the categories of a product), the JSON templates of its custom
 *   fields (`definitions`: names, labels, options, and room for chosen options), and values that are not
 *   choices (`values`). A change of a definition is checked against definitions only, a change of a record
 *   against its values only.
 * - A lead type is its own part and its relations paths. A path stores its size, so a change of a path is
 *   checked by the sums of the lead types that have it, in the same batch.
 * - Everything else (activities, notes, tasks, users, leads, cases) is checked as a whole when it is written.
 *   Leads and cases embed other records within their own budgets, so they can exceed 256 KiB, but never
 *   without a bound. A list then ends its page early, see `page`.
 *
 * A guard in each batch fails when the facts of a check have changed since, so two simultaneous calls cannot
 * pass a limit together.
 */
import { fieldError, invalid } from "./errors.ts";
import { toJson } from "./json.ts";

const kibibyte = 1_024;

/** A record as JSON. */
export const recordBudget = 256 * kibibyte;

/** The parts of an account, contact, product or team. Their sum is `recordBudget`. */
export const partBudgets = {
  fixed: 64 * kibibyte,
  definitions: 112 * kibibyte,
  values: 80 * kibibyte,
} as const;

/** The links of all fields of one kind of record. They are not part of a record. */
export const linksBudget = 128 * kibibyte;
/** The field orders of a company. */
export const ordersBudget = 512 * kibibyte;

/** All paths of a lead type; also the limit of a single path. */
export const pathsBudget = 160 * kibibyte;
/** A lead type without its paths. */
export const leadTypeBudget = recordBudget - pathsBudget;

/** All records on a page of a list. */
export const pageBudget = 100 * recordBudget;

/** Limits of counts. */
export const counts = {
  /** Custom fields of a kind of record. */
  fields: 200,
  /** Options of a field. */
  options: 200,
  /** Options of all fields of a company. */
  companyOptions: 5_000,
  /** Activity types of a relations path, without retired ones. */
  activityTypes: 100,
  /** Relations paths of a lead type. */
  paths: 50,
  /** Products of an activity, over all its product details. */
  products: 500,
  /** Teams and roles of a user, each of which the user's JSON shows. */
  memberships: 200,
  /** Permissions of a file. */
  permissions: 200,
  /** Delivered reports of a company; the oldest go when others come. */
  keptReports: 100_000,
  /** Categories of a product. */
  categories: 30,
} as const;

/** What a company may keep of what is made for a moment, at the same time. */
export const keptForMoment = {
  /** Bytes of previews, which live five minutes. */
  bytes: 128 * 1_024 * kibibyte,
  /** Charts with an address, which live a day, and their bytes. */
  charts: 5_000,
  chartBytes: 128 * 1_024 * kibibyte,
} as const;

/** Limits of amounts, so that sums of them are finite and keep two decimals. */
export const amounts = {
  /** The quantity of a product in an offer. */
  quantity: 1_000_000_000,
  /** The amount of a line of an offer, quantity times price, positive or negative. */
  line: 10_000_000_000_000,
} as const;

/** Returns the size of the text in UTF-8, in bytes. */
export function countBytes(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Each half of a surrogate pair counts two of its four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
  }
  return bytes;
}

/** Returns whether the text takes more than this many bytes. Counts the bytes only near the limit. */
export function isLarger(text: string, budget: number): boolean {
  return text.length > budget || (text.length * 3 > budget && countBytes(text) > budget);
}

/**
 * Throws 422 `max` at `path` for a record over its budget. A record that was over it `before` may change as
 * long as it does not grow.
 */
export function checkRecordSize(
  after: object,
  path: string,
  before: (() => object) | null = null,
  budget = recordBudget,
): void {
  const { text } = toJson(after);
  if (!isLarger(text, budget)) return;
  const bytes = countBytes(text);
  if (before && bytes <= countBytes(toJson(before()).text)) return;
  throw invalid(fieldError(path, "max", `The record would take ${bytes} bytes; at most ${budget}.`));
}
