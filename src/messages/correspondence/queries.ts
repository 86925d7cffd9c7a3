/** Reads of the correspondence of a case. A user who sees the case sees its correspondence. */
import { type Answer, ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { makeOwnerScope } from "../../db/scope.ts";
import { sql } from "../../db/statements.ts";
import { type ListQuery, page, parsePaging } from "../../http/lists.ts";
import { makeReader, mayRead, readFileRow, selectFilesById } from "../../library/access.ts";
import { signDownloadToken } from "../../library/links.ts";
import { type List, readList } from "../../lists/list.ts";
import { selectOwnedTotal } from "../../lists/totals.ts";
import type { Statement } from "../../platform/database/database.ts";
import { checkCaseAccess, selectCaseAccess } from "../../sales/cases/queries.ts";
import { renderKeptText } from "../placeholders/kept_text.ts";
import { signLetterAddress } from "./letter_address.ts";
import { placePictures } from "./pictures.ts";
import {
  correspondenceColumns,
  type CorrespondenceRecord,
  listedColumns,
  presentCorrespondence,
  presentListedMessage,
  readCorrespondenceRow,
  type ShownFiles,
} from "./present.ts";

export const correspondenceList: List = {
  table: "correspondences",
  alias: "message",
  columns: listedColumns,
  sorts: { created_at: "created_at" },
  order: "-created_at",
};

/** A page of the correspondence of a case, newest first, without the contents. */
export async function listCorrespondences(ctx: Context, caseId: string, query: ListQuery, url: string) {
  const paging = parsePaging(query, correspondenceList);
  const { rows, total, extraResults: [access] } = await readList(ctx, correspondenceList, {
    scope: makeOwnerScope(ctx.caller, "case_id", caseId),
    paging,
    totals: [selectOwnedTotal("correspondences", ctx.caller.companyId, [caseId])],
    extraReads: [selectCaseAccess(ctx.caller.companyId, caseId)],
  });
  checkCaseAccess(ctx, access!);
  const files = await readShownFiles(ctx, rows.map(readCorrespondenceRow));
  const seen = await Promise.all(rows.map(async (row) => {
    const text = await renderKeptText(readCorrespondenceRow(row).parts, ctx.caller);
    return text === null ? row : { ...row, subject: text.subject };
  }));
  return page(
    { url, ctx },
    paging,
    seen,
    total,
    (row) => presentListedMessage(readCorrespondenceRow(row), files),
  );
}

export async function getCorrespondence(ctx: Context, caseId: string, id: string) {
  const found = await readOne(ctx, caseId, id);
  const files = await readShownFiles(ctx, [found]);
  const text = await renderKeptText(found.parts, ctx.caller) ??
    { subject: found.subject, html: found.content };
  const content = text.html && placePictures(text.html, files.linkPicture);
  return ok(presentCorrespondence({ ...found, subject: text.subject, content }, files));
}

/**
 * Names and sizes of files are shown to those who may read the file, or have sent it. `linkPicture` returns the
 * address of a file that the caller may read.
 */
async function readShownFiles(
  ctx: Context,
  rows: readonly Pick<CorrespondenceRecord, "files">[],
): Promise<ShownFiles & { readonly linkPicture: (id: string) => string | undefined }> {
  const ids = [
    ...new Set(rows.flatMap(({ files }) => (JSON.parse(files) as { id: string }[]).map(({ id }) => id))),
  ];
  const found = ids.length === 0
    ? []
    : (await ctx.deps.db.read([selectFilesById(makeReader(ctx), ids)]))[0]!.rows;
  const { caller, deps: { secretsKey }, origin, now } = ctx;
  const readable = new Map(
    found.map(readFileRow).filter((file) => mayRead(caller, file)).map((file) => [file.id, file]),
  );
  return {
    isShown: (id, { user_id }) => user_id === caller.userId || readable.has(id),
    linkPicture(id) {
      const file = readable.get(id);
      return file && `${origin}/v1/files/download/${signDownloadToken(secretsKey, file, caller.userId, now)}`;
    },
  };
}

/** Returns 303 with a link to the letter, which works for five minutes. The PDF is made when the link is opened. */
export async function getLetter(ctx: Context, caseId: string, id: string): Promise<Answer<never>> {
  const letter = await readOne(ctx, caseId, id);
  if (letter.type !== "letter") throw notFound("Only letters have a PDF.");
  return {
    status: 303,
    body: null,
    headers: { Location: signLetterAddress(ctx, caseId, id), "Cache-Control": "no-store" },
  };
}

/** Reads a correspondence for `readCorrespondenceRow`. */
export function selectCorrespondenceById(caseId: string, id: string): Statement {
  return sql`select ${correspondenceColumns} from correspondences message
    where message.id = ${id} and message.case_id = ${caseId}`;
}

async function readOne(ctx: Context, caseId: string, id: string): Promise<CorrespondenceRecord> {
  const [access, found] = await ctx.deps.db.read([
    selectCaseAccess(ctx.caller.companyId, caseId),
    selectCorrespondenceById(caseId, id),
  ]);
  checkCaseAccess(ctx, access!);
  const row = found!.rows[0];
  if (!row) throw notFound();
  return readCorrespondenceRow(row);
}
