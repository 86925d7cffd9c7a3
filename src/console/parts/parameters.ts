/** The parameters of an address that a list follows. Malformed ones are named on the page instead of being sent. */
import { parseTimestamp } from "../../core/time.ts";

/** Decides whether a value means something. A regular expression is one. */
export interface ValueForm {
  test(value: string): boolean;
}

/** The forms of values that several lists take. */
export const forms = {
  caseView: /^(?:board|list)$/,
  flag: /^(?:true|false|1|0)$/i,
  ids: /^\d{1,15}(?:,\d{1,15}){0,49}$/,
  page: /^[1-9]\d{0,6}$/,
  moment: { test: (value: string) => parseTimestamp(value) !== null },
  search: /^[^\0]{1,200}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uuids: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:,[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}){0,19}$/i,
} as const;

/** The moments between which the records of a list were created. */
export const creation = { start_at: forms.moment, end_at: forms.moment } as const;

export interface Asked {
  readonly values: Readonly<Record<string, string>>;
  /** The names of those that mean nothing. */
  readonly ignored: readonly string[];
}

/** Lists within the page of a record. The number of the page of each has a parameter of its own. */
export type InnerList =
  | "correspondence"
  | "faults"
  | "files"
  | "invitations"
  | "kept"
  | "notes"
  | "tasks"
  | "timeline";

export function nameOfPage(list: InnerList): string {
  return `${list}_page`;
}

/** Returns the parameters with which the API is asked for each of the lists, and names those that mean nothing. */
export function readInnerPages<List extends InnerList>(
  query: URLSearchParams,
  lists: readonly List[],
): { readonly pages: Readonly<Record<List, Record<string, string>>>; readonly ignored: readonly string[] } {
  const known = Object.fromEntries(lists.map((list) => [nameOfPage(list), forms.page]));
  const { values, ignored } = readParameters(query, known);
  const pages = {} as Record<List, Record<string, string>>;
  for (const list of lists) {
    const page = values[nameOfPage(list)];
    pages[list] = { per_page: "25", ...(page ? { page } : {}) };
  }
  return { pages, ignored: values.page === undefined ? ignored : [...ignored, "page"] };
}

/** The most unknown names that a page shows, and the most characters of one. */
const [mostNames, longestName] = [5, 40];

/**
 * Reads the parameters by their forms, and the number of the page. `others`: names that the page reads itself; any
 * further one means nothing.
 */
export function readParameters(
  query: URLSearchParams,
  known: Readonly<Record<string, ValueForm>>,
  others: readonly string[] = [],
): Asked {
  const values: Record<string, string> = {};
  const ignored: string[] = [];
  const read = { ...known, page: forms.page };
  for (const [name, form] of Object.entries(read)) {
    const value = query.get(name)?.trim();
    if (!value) continue;
    if (form.test(value)) values[name] = value;
    else ignored.push(name);
  }
  const unknown = new Set(
    [...query].flatMap(([name, value]) =>
      value.trim() === "" || Object.hasOwn(read, name) || others.includes(name)
        ? []
        : [name.slice(0, longestName)]
    ),
  );
  ignored.push(...[...unknown].slice(0, mostNames));
  const { start_at, end_at } = values;
  if (start_at && end_at && parseTimestamp(end_at)! <= parseTimestamp(start_at)!) {
    delete values.end_at;
    ignored.push("end_at");
  }
  return { values, ignored };
}

/**
 * Reads the parameters of a list of cases. Lists refuse `created_from_lead` beside types of leads: those say that
 * there was a lead.
 */
export function readCaseParameters(
  query: URLSearchParams,
  known: Readonly<Record<string, ValueForm>>,
): Asked {
  const { values, ignored } = readParameters(query, known);
  if (values.created_from_lead === undefined || values.lead_types === undefined) return { values, ignored };
  const { created_from_lead: _, ...followed } = values;
  return { values: followed, ignored: [...ignored, "created_from_lead"] };
}
