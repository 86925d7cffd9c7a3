/** Attaches files to a record, and detaches them. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { makeReader, requireReadableFiles, seesRecord, selectFilesById } from "../access.ts";
import { guardPlaces } from "../write.ts";
import { type Params, recordId, type RecordKind } from "./records.ts";

/**
 * 204. Attaches the files. Files that are already attached stay as they are. 422 `exists` for files that the
 * caller may not read.
 */
export async function attachFiles(
  ctx: Context,
  kind: RecordKind,
  params: Params,
  fileIds: readonly string[],
) {
  const { caller } = ctx;
  const id = recordId(kind, params);
  const [files, attached, ...record] = await ctx.deps.db.read([
    selectFilesById(makeReader(ctx), fileIds),
    selectAttached(kind, id, fileIds),
    ...kind.reads(caller.companyId, params),
  ]);
  const change = kind.visible(ctx, record, params);
  const readable = requireReadableFiles(caller, files!.rows, fileIds);
  const there = new Set(attached!.rows.map(({ file_id }) => file_id));
  const added = readable.filter((file) => !there.has(file.id));
  if (added.length === 0) return await commit(ctx, { statements: [], answer: noContent });
  const { statements, events } = change(
    added.map((file) => ({ ...file, attached_by: caller.userId, attached_at: ctx.at })),
  );
  return await commit(ctx, {
    statements: [
      guardSeen(ctx, kind, id),
      guardVersions("files", added),
      guardPlaces(added),
      sql`insert or ignore into attachments (entity_type, entity_id, file_id, company_id, attached_by,
        attached_at)
        select ${kind.type}, ${id}, value, ${caller.companyId}, ${caller.userId}, ${ctx.at}
        from json_each(${JSON.stringify(added.map((file) => file.id))})`,
      ...statements,
    ],
    events,
    answer: noContent,
  });
}

/** Returns 204. Detaches the files. Files that are not attached or do not exist change nothing. */
export async function detachFiles(
  ctx: Context,
  kind: RecordKind,
  params: Params,
  fileIds: readonly string[],
) {
  const { caller } = ctx;
  const id = recordId(kind, params);
  const [attached, ...record] = await ctx.deps.db.read([
    selectAttached(kind, id, fileIds),
    ...kind.reads(caller.companyId, params, fileIds),
  ]);
  const change = kind.visible(ctx, record, params);
  if (attached!.rows.length === 0) return await commit(ctx, { statements: [], answer: noContent });
  const { statements, events } = change([]);
  return await commit(ctx, {
    statements: [
      guardSeen(ctx, kind, id),
      sql`delete from attachments where entity_type = ${kind.type} and entity_id = ${id}
        and file_id in (select value from json_each(${JSON.stringify(fileIds)}))`,
      ...statements,
    ],
    events,
    answer: noContent,
  });
}

function selectAttached({ type }: RecordKind, id: string, fileIds: readonly string[]): Statement {
  return sql`select file_id from attachments where entity_type = ${type} and entity_id = ${id}
    and file_id in (select value from json_each(${JSON.stringify(fileIds)}))`;
}

/** Rejects the batch when the caller no longer sees the record. */
function guardSeen(ctx: Context, { type }: RecordKind, id: string): Statement {
  return guardThat("record", seesRecord[type](makeReader(ctx), sql`${id}`));
}
