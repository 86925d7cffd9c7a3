/**
 * Lists. A feature describes its list once as a `List`: table, columns, sorts and indexes. `readList` reads a
 * page of it and the total, mostly in one round trip:
 *
 *     const noteList: List = { table: "notes", alias: "note", columns, sorts: { created_at: "created_at" },
 *       order: "-created_at", indexes: indexesOf(notes), isCounted: true };
 *     const { rows, total } = await readList(ctx, noteList, { scope: makeTeamScope(ctx.caller), paging, selection });
 *
 * - `scope` (`db/scope.ts`): the company, and the streams that the caller sees, such as teams or one owner.
 * - No selection: the page is read in the list's order by an index, the streams merged (`page_ids.ts`); the total
 *   comes from counters (`totals.ts`). Neither depends on the number of rows.
 * - `selection` (`selection.ts`, `conditions.ts`, `search.ts`): conditions that narrow the list. The least costly
 *   index or other path finds the rows (`access_path.ts`); `plan.ts` sorts them, or reads in order if they are many.
 */
import type { Context } from "../db/context.ts";
import type { Scope } from "../db/scope.ts";
import { bindRows, identifier, joinSql, type Sql, sql } from "../db/statements.ts";
import type { Effort, Result, Row, Statement } from "../platform/database/database.ts";
import { indexPaths, withRowConditions } from "./access_path.ts";
import type { ListCondition } from "./conditions.ts";
import type { TableIndex } from "./indexes.ts";
import { selectIdsInOrder, selectPageIds } from "./page_ids.ts";
import { mostInPlace, mostSkipped, type Paging } from "./paging.ts";
import { countMatching, orderAfter, type PageRead, planPage } from "./plan.ts";
import type { Selection } from "./selection.ts";
import { chooseByTime } from "./time_path.ts";
import { selectMatching, selectTotal } from "./totals.ts";

export interface List {
  readonly table: string;
  readonly alias: string;
  /** Select list over the alias and the joins. */
  readonly columns: Sql;
  /** `left join … on …`; each row of the table stays one row. */
  readonly joins?: Sql;
  /** The table's unique id, which orders rows of equal sort values; `id` by default. */
  readonly id?: string;
  /** Names that `sort` accepts, each with its column, which must not be null. */
  readonly sorts: Readonly<Record<string, string>>;
  /** The default of `sort`. */
  readonly order: string;
  /** Indexes that find selected rows. */
  readonly indexes?: readonly TableIndex[];
  /** Whether triggers count the rows (`totals`, by table); by default rows are counted for each page. */
  readonly isCounted?: boolean;
}

export interface ListRequest {
  readonly scope: Scope;
  readonly paging: Paging;
  /** Conditions that every row of the list meets. They exclude too few rows to be worth an index search. */
  readonly fixedConditions?: readonly ListCondition[];
  readonly selection?: Selection;
  /** SQL: a select of ids that include the page, instead of a selection. */
  readonly ids?: Sql;
  /** Statements whose `n` add up to the total of a list without a selection. Empty: `extraReads` reads the total. */
  readonly totals?: readonly Statement[];
  /** Further statements in the same round trip. */
  readonly extraReads?: readonly Statement[];
  /** Whether the page is read in a separate thread even if an index finds few rows. */
  readonly isThreaded?: boolean;
}

export interface ListPage {
  /** One row more than a page when there is a next page. */
  readonly rows: Row[];
  readonly total: number;
  /** Results of `extraReads`. */
  readonly extraResults: Result[];
}

/** The reads of a page, to be made in one round trip, also together with those of other lists. */
export interface ListReads {
  readonly statements: readonly Statement[];
  readonly effort: Effort;
  /** Whether the reads may take long, and so belong into a separate thread. */
  readonly isThreaded: boolean;
  /** Returns the page; without a total if a further read must bring it. */
  readonly takePage: (
    results: readonly Result[],
  ) => Omit<ListPage, "total"> & { readonly total: number | null };
  /** Reads the total if the page has none. */
  readonly totals: () => readonly Statement[];
}

/** Reads a page of the list with the total, in one round trip unless rows must be counted for it. */
export async function readList(
  { caller: { companyId: company }, deps: { db } }: Pick<Context, "caller" | "deps">,
  list: List,
  request: ListRequest,
): Promise<ListPage> {
  const { statements, effort, isThreaded, takePage, totals } = prepareReads(list, request);
  const found = takePage(
    await (isThreaded ? db.readOnThread(statements, { effort, company }) : db.read(statements)),
  );
  const total = found.total ?? sumCounts(await db.readOnThread(totals(), { effort, company }));
  return { ...found, total };
}

/** Returns the reads of `readList`, without making them. */
export function prepareReads(list: List, request: ListRequest): ListReads {
  const { paging, selection, extraReads = [], isThreaded = false } = request;
  const { table, id = "id" } = list;
  const isDeep = paging.offset > mostSkipped;
  const read = { table, id, paging, limit: paging.offset + paging.per_page + 1, isDeep };
  const isSelected = selection !== undefined && selection.conditions.length > 0;
  const plan = isSelected ? planSelected(list, request, selection, read) : planInOrder(list, request, read);
  const { page, totals, hasTotal } = plan;
  const effort = isDeep ? "scan" : plan.effort;
  const takesLong = effort === "scan" || paging.per_page > mostInPlace ||
    (isSelected && selection.conditions.some(({ findsWords }) => findsWords));
  return {
    statements: [...extraReads, page, ...(hasTotal ? [] : totals())],
    effort,
    isThreaded: isThreaded || takesLong,
    totals,
    takePage(results) {
      const [{ rows }, ...counts] = results.slice(extraReads.length) as [Result, ...Result[]];
      const answered = { rows, extraResults: results.slice(0, extraReads.length) };
      if (!hasTotal) return { ...answered, total: sumCounts(counts) };
      if (rows.length > 0) return { ...answered, total: Number(rows[0]!.page_total) };
      // No rows follow the given one, for example because they were deleted.
      return { ...answered, total: paging.after ? null : 0 };
    },
  };
}

/** How a page and its total are read. */
export interface ListPlan {
  readonly page: Statement;
  /** Statements whose `n` add up to the total; none if `extraReads` reads it. */
  readonly totals: () => readonly Statement[];
  /** Whether each row of the page has the total, so that `totals` need not be read. */
  readonly hasTotal: boolean;
  readonly effort: Effort;
}

/** Plans a page and the exact total of the selected rows by the cheapest path. */
function planSelected(
  list: List,
  { scope, paging, fixedConditions = [], totals }: ListRequest,
  { conditions: selecting, paths }: Selection,
  read: PageRead,
): ListPlan {
  const { table, alias, indexes = [] } = list;
  const conditions = [...selecting, ...fixedConditions];
  const isCounted = totals?.length !== 0;
  // A page by its number may lie past the end and then has no row with the total.
  const hasTotal = isCounted && (paging.page <= 1 || paging.after !== null);
  const path = chooseByTime([
    ...indexPaths({ table, indexes }, scope, conditions, paging.sort.column),
    ...paths(scope).map((path) => withRowConditions(path, conditions)),
  ], { table, scope, conditions });
  const tests = conditions.map(({ test }) => test(alias));
  if (!path) {
    const ids = selectIdsInOrder(read, scope, conditions.map(({ test }) => test("y")));
    const rows = selectMatching(list, scope, tests, sql`count(*)`);
    const isThere = () =>
      sql`exists (${selectMatching(list, scope, tests, sql`1`)} limit 1 offset ${bindRows(paging.offset)})`;
    const total = hasTotal ? sql`(${rows})` : null;
    const page = selectPage(list, scope, read, { ids, conditions: tests, total, isThere });
    const count = () => sql`select (${rows}) as n`;
    return { page, totals: () => isCounted ? [count()] : [], hasTotal, effort: "scan" };
  }
  const plan = planPage(read, scope, conditions, path);
  const ids = read.isDeep || scope.streams ? selectPageIds(read, plan.ids) : plan.ids;
  const isThere = () => sql`${plan.total} > ${bindRows(paging.offset)}`;
  const count = () => countMatching(table, scope, conditions, path);
  return {
    page: selectPage(list, scope, read, {
      tables: plan.tables,
      total: hasTotal ? plan.total : null,
      ids,
      conditions: [],
      isThere,
    }),
    totals: () => isCounted ? [count()] : [],
    hasTotal,
    effort: path.read < broad && path.found < broad ? "few" : "scan",
  };
}

/** A path that reads at least this share of all rows counts as a scan. */
const broad = 0.25;

/** Plans a page of rows that an index has in the list's order, or of ids that the feature selects. */
function planInOrder(
  list: List,
  { scope, paging, fixedConditions = [], totals, ids }: ListRequest,
  read: PageRead,
): ListPlan {
  const [outer, inner] = [list.alias, "y"].map((own) => fixedConditions.map((each) => inOrder(each, own)));
  const isThere = () => {
    const rows = ids ? sql`select 1 from (${ids})` : selectMatching(list, scope, outer!, sql`1`);
    return sql`exists (${rows} limit 1 offset ${bindRows(paging.offset)})`;
  };
  const among = ids ? selectPageIds(read, ids) : selectIdsInOrder(read, scope, inner!);
  return {
    page: selectPage(list, scope, read, { ids: among, conditions: outer!, isThere }),
    totals: () =>
      totals ?? [
        list.isCounted
          ? selectTotal(list.table, scope)
          : sql`select (${selectMatching(list, scope, outer!, sql`count(*)`)}) as n`,
      ],
    hasTotal: false,
    effort: "few",
  };
}

/**
 * The parts of a page's statement. `ids` include those of the page; if null, `conditions` select the rows,
 * which are read in order.
 */
interface PageParts {
  readonly tables?: Sql;
  readonly ids: Sql | null;
  readonly conditions: readonly Sql[];
  readonly total?: Sql | null;
  /** SQL: whether a deep page has rows. */
  readonly isThere: () => Sql;
}

/**
 * Selects a page and one more row, which shows whether there is a next page. Each row has `page_key` and
 * `page_id`, after which the next page begins.
 */
function selectPage(
  { table, alias, columns, joins = sql`` }: List,
  { companyId }: Scope,
  { id, paging, isDeep }: PageRead,
  { tables, ids, conditions, total, isThere }: PageParts,
): Statement {
  const [key, of] = [identifier(alias, paging.sort.column), identifier(alias, id)];
  const filter = ids
    ? sql`${of} in (${ids})`
    : joinSql([sql`${identifier(alias, "company_id")} = ${companyId}`, ...conditions], " and ");
  const limit = bindRows(paging.per_page + 1);
  return sql`${tables ? sql`with ${tables} ` : sql``}select ${columns}, ${key} as page_key,
    ${of} as page_id${total ? sql`, ${total} as page_total` : sql``}
    from ${identifier(table)} ${identifier(alias)} ${joins} where ${filter}${orderAfter(paging, key, of)}
    limit ${isDeep ? sql`iif(${isThere()}, ${limit}, 0)` : limit} offset
    ${bindRows(isDeep ? 0 : paging.offset)}`;
}

/** Lets an index search by the condition: it may have the rows of one value in the list's order. */
function inOrder({ column, test }: ListCondition, own: string): Sql {
  return column?.search ? column.compare(column.of(own)) : test(own);
}

function sumCounts(counts: readonly Result[]): number {
  // The counter of an owner that does not exist has no row.
  return counts.reduce((sum, { rows: [row] }) => sum + Number(row?.n ?? 0), 0);
}
