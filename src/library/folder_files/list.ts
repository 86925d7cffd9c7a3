/** Reads the files that are directly in a folder or root, as attachments of it. */
import { type Answer, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, type Sql, sql } from "../../db/statements.ts";
import { page, parsePaging } from "../../http/lists.ts";
import { type Paging, threadDeepPages } from "../../lists/paging.ts";
import { orderAfter } from "../../lists/plan.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { listedFileColumns } from "../access.ts";
import { attachedOrder, filesOnPage } from "../attachments/list.ts";
import { presentAttached, readAttachedFile } from "../attachments/present.ts";
import type { AttachmentsQuery } from "../attachments/schema.ts";
import { composeLinkHeaders } from "../files/get.ts";
import { type NamedPlace, parseNamedPlace, requireReadablePlace, selectPlace } from "./place.ts";

/** Returns a page of the files, the latest addition first. */
export async function listPlaced(ctx: Context, path: string, query: AttachmentsQuery, url: string) {
  const paging = parsePaging(query, attachedOrder, filesOnPage);
  const named = parseNamedPlace(ctx.caller, path);
  const { companyId } = ctx.caller;
  const [found, rows, counted] = await ctx.deps.db.read([
    selectPlace(named),
    selectPlacedPage(companyId, named, paging),
    countPlaced(companyId, named),
  ]);
  requireReadablePlace(ctx.caller, named, found!.rows[0]!.place);
  return await page(
    { url, ctx },
    paging,
    rows!.rows,
    Number(counted!.rows[0]!.n),
    (row) => presentAttached(ctx, row),
  );
}

/** Returns 200 with a file of the folder or root. */
export async function getPlaced(ctx: Context, path: string, fileId: string) {
  return ok(presentAttached(ctx, await readPlaced(ctx, path, fileId)));
}

/** Returns 303 with a link to the content in `Location`, which is good for five minutes. */
export async function downloadPlaced(ctx: Context, path: string, fileId: string): Promise<Answer<never>> {
  const file = readAttachedFile(await readPlaced(ctx, path, fileId));
  return { status: 303, body: null, headers: composeLinkHeaders(ctx, file) };
}

/** Reads the row of a file. Throws 404 when the place is not visible or the file is not directly in it. */
async function readPlaced(ctx: Context, path: string, fileId: string): Promise<Row> {
  const named = parseNamedPlace(ctx.caller, path);
  const [found, files] = await ctx.deps.db.read([
    selectPlace(named),
    sql`select ${shownColumns} from files file where file.id = ${fileId}
      and ${liesIn(ctx.caller.companyId, named)}`,
  ]);
  requireReadablePlace(ctx.caller, named, found!.rows[0]!.place);
  const row = files!.rows[0];
  if (!row) throw notFound();
  return row;
}

const shownColumns = sql`${listedFileColumns}, file.placed_by as attached_by, file.placed_at as attached_at`;

/** Reads a page and one more row. Reads the columns of these rows only. */
function selectPlacedPage(companyId: number, named: NamedPlace, paging: Paging): Statement {
  const { offset } = paging;
  const [key, id] = [sql`file.placed_at`, sql`file.id`];
  const order = orderAfter(paging, key, id);
  const ids = sql`select file.id from files file where ${liesIn(companyId, named)}${order}
    limit ${bindRows(paging.per_page + 1)} offset ${bindRows(offset)}`;
  return {
    ...sql`select ${shownColumns}, file.placed_at as page_key, file.id as page_id from files file
      where file.id in (${ids})${order}`,
    ...threadDeepPages(companyId, offset),
  };
}

/** Reads the counter of the place. */
function countPlaced(companyId: number, { folder_id, json }: NamedPlace): Statement {
  const place = folder_id === null
    ? sql`(select (j.place ->> 'belongs_to') || ':' || (j.place ->> 'belongs_to_id') from (select ${json} as place) j)`
    : sql`${folder_id}`;
  return sql`select ifnull((select c.files from folder_contents c where c.company_id = ${companyId}
    and c.place = ${place}), 0) as n`;
}

/** SQL: whether a file of the alias `file` is directly in the place. */
function liesIn(companyId: number, { folder_id, json }: NamedPlace): Sql {
  if (folder_id !== null) return sql`file.folder_id = ${folder_id} and file.company_id = ${companyId}`;
  const of = (member: string) => sql`(select j.place ->> ${member} from (select ${json} as place) j)`;
  return sql`file.company_id = ${companyId} and file.belongs_to = ${of("belongs_to")}
    and file.belongs_to_id = ${of("belongs_to_id")}`;
}
