/** Lists: `page`, `per_page`, `search`, `sort`; `{data, pagination}` with links that skip no row. */
import { z } from "zod";
import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from "@oslojs/encoding";
import type { Answer } from "../core/answer.ts";
import { fieldError, invalid } from "../core/errors.ts";
import { type Json, writeRecords } from "../core/json.ts";
import type { Caller } from "../core/access.ts";
import type { ClientContext, Context } from "../db/context.ts";
import { type Fields, pickBriefFields } from "../fields/field_sets.ts";
import type { List, ListPage } from "../lists/list.ts";
import type { Paging, Sort } from "../lists/paging.ts";
import type { Row } from "../platform/database/database.ts";
import { queryInteger, text } from "./zod.ts";
import { presentRecords } from "./large_pages.ts";
import { summaryMark } from "./openapi_schemas.ts";
import { extractPath, extractQuery } from "./request.ts";
import { refusal } from "./validate.ts";

/** The highest `page`: the number of its last row is still an exact integer. */
const lastPage = 10_000_000_000_000;

/** Query parameters of every list. */
export const paging = {
  page: queryInteger(0, lastPage).optional().meta({
    description: "Counts from 1; 0 is the first page too.",
    example: 1,
  }),
  per_page: queryInteger(1, 100).optional().meta({
    description: "1 to 100; 15 when absent. A page ends early when its records take 25 MiB; " +
      "`urls.next` continues it.",
    example: 15,
  }),
  after: z.string().max(1024).optional().meta({
    description: "Opaque; part of `urls.next`. Clients never build it.",
    example: "WyItY3JlYXRlZF9hdCIsIjIwMjYtMDEtMzEgMTA6MDA6MDAiLDEyXQ",
  }),
};

export const search = {
  search: text(255).optional().meta({
    description: "Every word must begin a word of the record, without regard to case or accents.",
    example: "mül sch",
  }),
};

/** The `view` parameter of lists that also come with short rows. */
export const view = {
  view: z.enum(["summary"]).optional().meta({
    description: "`summary`: short rows, without `options` of fields, paths of lead types and `lead_data`; " +
      "a team is `{id, name}`.",
    example: "summary",
  }),
};

/**
 * The rows of a list that has `view`. The document has the full rows, and describes the short ones at `view`:
 * programs that read lists as they are would not compile with rows of either kind. The short ones have no name.
 */
export function describeRows<F extends z.ZodType, B extends z.ZodType>(full: F, brief: B) {
  return z.array(z.union([full, brief]).meta({ [summaryMark]: true }));
}

/** The `sort` parameter: a field of `columns`, with `-` in front for descending. */
export function sorting(columns: Readonly<Record<string, string>>) {
  const names = Object.keys(columns);
  return {
    sort: z.string().refine(
      (value) => Object.hasOwn(columns, value.replace(/^-/, "")),
      refusal("enum", `Must be one of ${names.join(", ")}, with - in front for descending.`),
    ).optional().meta({
      description: `One of ${names.map((name) => `\`${name}\``).join(", ")}.`,
      example: `-${names[0]}`,
    }),
  };
}

export interface ListQuery {
  page?: number | undefined;
  per_page?: number | undefined;
  after?: string | undefined;
  sort?: string | undefined;
  view?: "summary" | undefined;
}

/** Returns the paging of a query. `order` applies without a `sort`. */
export function parsePaging(
  query: ListQuery,
  { sorts, order }: Pick<List, "sorts" | "order">,
  perPage = 15,
): Paging {
  const name = query.sort ?? order;
  const descending = name.startsWith("-");
  const sort: Sort = { column: sorts[descending ? name.slice(1) : name]!, descending };
  const page = Math.max(1, query.page ?? 1);
  const per_page = query.per_page ?? perPage;
  const after = query.after === undefined ? null : readCursor(query.after, sort);
  return { page, per_page, sort, after, offset: after ? 0 : (page - 1) * per_page };
}

/** A list of records, and the function that presents one to callers who see these fields. */
export interface Listing<T> {
  readonly list: List;
  readonly present: (row: Row, fields: Fields) => T | Json<T>;
}

/** Returns the requested page of a list as an answer. `read` returns its rows and the total. */
export async function answerList<T>(
  ctx: Context,
  listing: Listing<T>,
  { query, url }: { readonly query: ListQuery; readonly url: string },
  read: (paging: Paging) => Promise<ListPage>,
) {
  const asked = parsePaging(query, listing.list);
  const { rows, total } = await read(asked);
  const { seen } = ctx.fields;
  const fields = query.view === "summary" ? pickBriefFields(seen) : seen;
  return page({ url, ctx }, asked, rows, total, (row) => listing.present(row, fields));
}

/** The call that a page answers. */
export interface ListRequest {
  readonly url: string;
  readonly ctx: Pick<ClientContext, "origin"> & { readonly caller?: Pick<Caller, "companyId"> };
}

/**
 * Returns `{data, pagination}` for the rows of `readList`, which returns one more row than a page when there
 * is a next page. `more` adds members to the body, `counted` adds members to the pagination. When the
 * records take more than `pageBudget` together, the page ends early, after one record at least, and
 * `urls.next` continues with the next record.
 */
export async function page<
  T,
  M extends Readonly<Record<string, object>> = Record<never, object>,
  C extends Readonly<Record<string, number>> = Record<never, number>,
>(
  { url, ctx }: ListRequest,
  paging: Paging,
  rows: readonly Row[],
  total: number,
  present: (row: Row) => T | Json<T>,
  more?: M,
  counted?: C,
): Promise<Answer<PageOf<T, M, C>>> {
  const request = { url, origin: ctx.origin };
  const company = ctx.caller?.companyId ?? null;
  const shown = await presentRecords(company, rows.slice(0, paging.per_page), present);
  const last = rows[shown.length - 1];
  const next = rows.length > shown.length && last
    ? composePageLink(
      request,
      paging.page + 1,
      paging.per_page,
      writeCursor(paging.sort, last.page_key as string, last.page_id as string),
    )
    : null;
  const previous = paging.page > 1 ? composePageLink(request, paging.page - 1, paging.per_page, null) : null;
  const body = writeRecords(shown, {
    pagination: {
      total,
      page: paging.page,
      per_page: paging.per_page,
      urls: { previous, next },
      ...counted,
    },
    ...more,
  });
  return { status: 200, body: body as Json<unknown> as Json<PageOf<T, M, C>> };
}

/** A page with the members of `more` in its body and those of `counted` in its pagination. */
export type PageOf<T, M, C> =
  & {
    readonly data: readonly T[];
    readonly pagination: {
      readonly total: number;
      readonly page: number;
      readonly per_page: number;
      readonly urls: { readonly previous: string | null; readonly next: string | null };
    } & C;
  }
  & NoInfer<M>;

/** Returns the schema of a page of these items. */
export function describePage<T extends z.ZodType>(item: T, name: string) {
  return z.object({ data: z.array(item), pagination: Pagination }).meta({ id: name });
}

/** Returns the schema of a page of a list that has `view`. */
export function describePageOfRows<F extends z.ZodType, B extends z.ZodType>(
  full: F,
  brief: B,
  name: string,
) {
  return z.object({ data: describeRows(full, brief), pagination: Pagination }).meta({ id: name });
}

export const Pagination = z.object({
  total: z.int().meta({ example: 1 }),
  page: z.int().meta({ example: 1 }),
  per_page: z.int().meta({ example: 15 }),
  urls: z.object({ previous: z.string().nullable(), next: z.string().nullable() })
    .meta({ example: { previous: null, next: null } }),
}).meta({ id: "Pagination" });

/** Returns the URL of a page of the same list. */
export function composePageLink(
  request: { url: string; origin: string },
  page: number,
  perPage: number,
  after: string | null,
): string {
  const parameters = extractQuery(request.url);
  parameters.set("page", String(page));
  parameters.set("per_page", String(perPage));
  if (after === null) parameters.delete("after");
  else parameters.set("after", after);
  return `${request.origin}${extractPath(request.url)}?${parameters}`;
}

/** The order of the list, and the sort value and id of the last row of the page. */
type Cursor = [order: string, key: string | number, id: string | number];

const formatOrder = ({ column, descending }: Sort) => (descending ? `-${column}` : column);

function writeCursor(sort: Sort, key: string | number, id: string | number): string {
  const cursor: Cursor = [formatOrder(sort), key, id];
  return encodeBase64urlNoPadding(new TextEncoder().encode(JSON.stringify(cursor)));
}

/** Throws 422 for a cursor that was not created here, or for a list in another order. */
function readCursor(text: string, sort: Sort): [string | number, string | number] {
  try {
    const bytes = decodeBase64urlIgnorePadding(text);
    const cursor: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (Array.isArray(cursor) && cursor.length === 3 && cursor.every(isScalar)) {
      const [order, key, id] = cursor as Cursor;
      if (order === formatOrder(sort)) return [key, id];
    }
  } catch {
    // Not a cursor of ours: falls through to the error.
  }
  throw invalid(fieldError("query.after", "format", "Must be taken from urls.next, unchanged."));
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" ? value.isWellFormed() && !value.includes("\0") : Number.isFinite(value);
}
