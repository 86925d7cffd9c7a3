/** Reads the files that are attached to a record. */
import { type Answer, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { type Paging, threadDeepPages } from "../../lists/paging.ts";
import { orderAfter } from "../../lists/plan.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { isListed, listedFileColumns } from "../access.ts";
import { composeLinkHeaders } from "../files/get.ts";
import { presentAttached, readAttachedFile } from "./present.ts";
import { type Params, recordId, type RecordKind } from "./records.ts";
import type { AttachmentsQuery } from "./schema.ts";

/** The order of the list: the newest attachment first. */
export const attachedOrder = { sorts: { attached_at: "attached_at" }, order: "-attached_at" };

/** The number of files on a page without `per_page`. */
export const filesOnPage = 50;

/** Returns a page of the files of a record, the newest attachment first. */
export async function listAttached(
  ctx: Context,
  kind: RecordKind,
  params: Params,
  query: AttachmentsQuery,
  url: string,
) {
  const paging = parsePaging(query, attachedOrder, filesOnPage);
  const id = recordId(kind, params);
  const { companyId } = ctx.caller;
  const [rows, total, ...record] = await ctx.deps.db.read([
    selectAttachedPage(companyId, kind, id, paging),
    countAttached(companyId, kind, id),
    ...kind.reads(companyId, params),
  ]);
  kind.visible(ctx, record, params);
  return await page(
    { url, ctx },
    paging,
    rows!.rows,
    Number(total!.rows[0]!.n),
    (row) => presentAttached(ctx, row),
  );
}

/** Returns 200 with a file of the record. */
export async function getAttached(ctx: Context, kind: RecordKind, params: Params) {
  return ok(presentAttached(ctx, await readAttached(ctx, kind, params)));
}

/** Returns 303 with a link to the content in `Location`, which is good for five minutes. */
export async function downloadAttached(
  ctx: Context,
  kind: RecordKind,
  params: Params,
): Promise<Answer<never>> {
  const file = readAttachedFile(await readAttached(ctx, kind, params));
  return { status: 303, body: null, headers: composeLinkHeaders(ctx, file) };
}

/** Reads the row of a file. Throws 404 when the record is not visible or the file is not attached to it. */
async function readAttached(ctx: Context, kind: RecordKind, params: Params): Promise<Row> {
  const { companyId } = ctx.caller;
  const [found, ...record] = await ctx.deps.db.read([
    sql`select ${listedFileColumns}, a.attached_by, a.attached_at from attachments a
      join files file on file.id = a.file_id where a.entity_type = ${kind.type}
      and a.entity_id = ${recordId(kind, params)} and a.file_id = ${params.file_id!}
      and ${isListed(companyId)}`,
    ...kind.reads(companyId, params),
  ]);
  kind.visible(ctx, record, params);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return row;
}

/** Reads a page and one more row. Reads the files of these rows only. */
function selectAttachedPage(companyId: number, { type }: RecordKind, id: string, paging: Paging): Statement {
  const { offset } = paging;
  const [key, file] = [sql`a.attached_at`, sql`a.file_id`];
  const rows = sql`select a.file_id, a.attached_by, a.attached_at from attachments a
    join files file on file.id = a.file_id where a.entity_type = ${type} and a.entity_id = ${id}
    and ${isListed(companyId)}${orderAfter(paging, key, file)}
    limit ${bindRows(paging.per_page + 1)} offset ${bindRows(offset)}`;
  return {
    ...sql`select ${listedFileColumns}, a.attached_by, a.attached_at, a.attached_at as page_key,
      a.file_id as page_id from (${rows}) a
      join files file on file.id = a.file_id${orderAfter(paging, key, file)}`,
    ...threadDeepPages(companyId, offset),
  };
}

/** Counts the files in the index. Reads the files only while a folder of the company is being deleted. */
function countAttached(companyId: number, { type }: RecordKind, id: string): Statement {
  const own = sql`a.entity_type = ${type} and a.entity_id = ${id}`;
  return sql`select (select count(*) from attachments a where ${own}) -
    iif(exists (select 1 from folders r where r.company_id = ${companyId} and r.deleted_at is not null),
      (select count(*) from attachments a join files file on file.id = a.file_id
        where ${own} and not ${isListed(companyId)}), 0) as n`;
}
