/** Reads a page of contacts or of accounts. */
import { Problem } from "../../core/errors.ts";
import type { AccountRecord, ContactRecord } from "../account/load.ts";
import type { PageOf } from "../parts/list.tsx";
import { creation, forms, readParameters, type ValueForm } from "../parts/parameters.ts";
import type { Visit } from "../visit.ts";
import {
  type FilterNode,
  isIncomplete,
  makeNode,
  makeRow,
  parseNodes,
  parseRows,
  type Row,
} from "./conditions.ts";
import { type BuilderField, readBuilderFields } from "./fields.ts";
import { type Kind, parseKind } from "./kinds.ts";
import { chooseKind, type StoredView } from "./stored_view.ts";

export const sorts: Readonly<Record<Kind, readonly string[]>> = {
  contacts: ["-last_activity_at", "last_name", "-created_at", "-updated_at"],
  accounts: ["-last_activity_at", "name", "-created_at", "-updated_at"],
};

export interface SavedView {
  readonly id: string;
  readonly name: string;
}

/** What is wrong with a row: the code of the fault, and the control that it is about. */
export interface ConditionFault {
  readonly row: number;
  readonly of: "field" | "operator" | "value";
  readonly code: string;
}

/** The filter of an address. */
export interface AskedFilter {
  readonly fields: readonly BuilderField[];
  readonly rows: readonly Row[];
  /** Nodes that the builder cannot show. */
  readonly rest: readonly FilterNode[];
  /** The saved view, when the person sees one of that id. */
  readonly view: StoredView | null;
  readonly ignored: readonly string[];
}

export interface CustomersContent {
  readonly kind: Kind;
  readonly contacts: PageOf<ContactRecord> | null;
  readonly accounts: PageOf<AccountRecord> | null;
  readonly saved: readonly SavedView[];
  readonly asked: AskedFilter;
  readonly faults: readonly ConditionFault[];
  /** The conditions that the list has followed. */
  readonly filter: readonly FilterNode[];
  readonly ignored: readonly string[];
}

/** Parameters of the list that no form shows. */
export const narrowing = ["users", "teams", "groups", "start_at", "end_at"];

/** The values that parameters of the address may have. */
const known: Readonly<Record<string, ValueForm>> = {
  kind: /^(?:contacts|accounts)$/,
  search: forms.search,
  sort: /^-?(?:last_activity_at|last_name|name|created_at|updated_at)$/,
  users: forms.ids,
  teams: forms.ids,
  groups: forms.ids,
  ...creation,
  filter_id: forms.uuid,
};

/** The parameters of the filter, which are read beside it. */
const built = ["filter", "field", "operator", "value", "add"];

export async function readCustomers(visit: Visit): Promise<CustomersContent> {
  const { query, call } = visit;
  const { values: { kind: _, sort, filter_id, ...values }, ignored } = readParameters(query, known, built);
  const kind = parseKind(query);
  const isSort = sort !== undefined && sort.replace("-", "") !== (kind === "accounts" ? "last_name" : "name");
  const sent: Record<string, string> = {
    ...values,
    ...(isSort ? { sort } : {}),
    view: "summary",
    per_page: "25",
  };
  const [{ asked, found }, saved] = await Promise.all([
    readAsked(visit, filter_id).then(async (asked) => ({
      asked,
      found: await readFiltered(visit, kind, sent, asked),
    })),
    call<PageOf<SavedView>>(kind === "contacts" ? "listContactFilters" : "listAccountFilters", {
      query: { per_page: "100" },
    }),
  ]);
  const unknown = [
    ...(sort !== undefined && !isSort ? ["sort"] : []),
    ...asked.ignored,
    ...found.ignored,
    ...ignored,
  ];
  return { kind, saved: saved.data, asked, ...found, ignored: [...new Set(unknown)] };
}

/** Reads the filter of the address: its saved view, the parameter `filter`, and its rows. */
export async function readAsked(
  visit: Visit,
  id = visit.query.get("filter_id") ?? undefined,
): Promise<AskedFilter> {
  const { query } = visit;
  const kind = parseKind(query);
  const given = query.get("filter")?.trim() || "[]";
  const nodes = parseNodes(given);
  const [fields, view] = await Promise.all([
    readBuilderFields(visit, kind),
    id === undefined ? null : readView(visit, kind, id),
  ]);
  const of = [...view?.filter ?? [], ...nodes ?? []].map((node) => ({ node, row: makeRow(node, fields) }));
  return {
    fields,
    rows: [...of.flatMap(({ row }) => row ?? []), ...parseRows(query)],
    rest: of.flatMap(({ node, row }) => row ? [] : [node]),
    view,
    ignored: [...(nodes ? [] : ["filter"]), ...(id !== undefined && !view ? ["filter_id"] : [])],
  };
}

/** Returns the saved view; null when it is gone, or is not the person's to use. */
async function readView({ call }: Visit, kind: Kind, filter_id: string): Promise<StoredView | null> {
  try {
    const view = await call<StoredView>("getView", { params: { view_id: filter_id } });
    return view.filter && chooseKind(view) === kind ? view : null;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

type Found = Pick<CustomersContent, "contacts" | "accounts" | "faults" | "filter" | "ignored">;

/** Reads the list. Conditions that the API refuses are left out, and named. */
async function readFiltered(
  visit: Visit,
  kind: Kind,
  query: Readonly<Record<string, string>>,
  asked: AskedFilter,
): Promise<Found> {
  const { person } = visit;
  const isMade = (row: Row) => !isIncomplete(row);
  const faults: ConditionFault[] = visit.query.has("add")
    ? []
    : asked.rows.flatMap((row, at) =>
      isMade(row)
        ? []
        : [{ row: at, of: row.field === "" ? "field" as const : "value" as const, code: "required" }]
    );
  let nodes: { readonly row: number | null; readonly node: FilterNode }[] = [
    ...asked.rest.map((node) => ({ row: null, node })),
    ...asked.rows.flatMap((row, at) =>
      isMade(row) ? [{ row: at, node: makeNode(row, asked.fields, person.timezone) }] : []
    ),
  ];
  const ignored = new Set<string>();
  for (;;) {
    try {
      const lists = await readLists(visit, kind, query, nodes.map(({ node }) => node));
      return { ...lists, faults, filter: nodes.map(({ node }) => node), ignored: [...ignored] };
    } catch (error) {
      const refused = error instanceof Problem && nodes.length > 0 && readFaults(error);
      if (!refused) throw error;
      const wrong = new Set(refused.map(({ at }) => at ?? -1));
      for (const { at, of, code } of refused) {
        const row = at === null ? null : nodes[at]?.row ?? null;
        if (row === null) ignored.add("filter");
        else if (!faults.some((one) => one.row === row)) faults.push({ row, of, code });
      }
      // A fault of the whole filter is one of all its nodes.
      nodes = wrong.has(-1) ? [] : nodes.filter((_, at) => !wrong.has(at));
    }
  }
}

async function readLists(
  { call }: Visit,
  kind: Kind,
  query: Readonly<Record<string, string>>,
  filter: readonly FilterNode[],
) {
  const read = <T>(plain: string, filtered: string) =>
    filter.length === 0
      ? call<PageOf<T>>(plain, { query })
      : call<PageOf<T>>(filtered, { query, body: { filter } });
  return {
    contacts: kind === "contacts" ? await read<ContactRecord>("listContacts", "filterContacts") : null,
    accounts: kind === "accounts" ? await read<AccountRecord>("listAccounts", "filterAccounts") : null,
  };
}

/** Returns the faults of a refused filter by the place of their node (null: the filter itself). */
function readFaults({ more: { errors = [] } }: Problem) {
  const found = errors.map(({ path, code }) => {
    const [, at, of = "value"] =
      /^filter(?:\[(\d+)\](?:\.or\[\d+\])?(?:\.(field|operator|value))?.*)?$/.exec(path) ?? [path];
    return { ours: path.startsWith("filter"), at: at === undefined ? null : Number(at), of, code };
  });
  return found.length > 0 && found.every(({ ours }) => ours)
    ? found.map(({ at, of, code }) => ({ at, of: of as ConditionFault["of"], code }))
    : null;
}
