/** A case shows its newest files, so it changes when one of them changes, moves or is deleted. */
import { makeId } from "../core/ids.ts";
import type { Answer } from "../core/answer.ts";
import { type Change, commit } from "../db/commit.ts";
import type { Context } from "../db/context.ts";
import { markShown } from "../db/alters.ts";
import { bindRows, type Sql, sql } from "../db/statements.ts";
import { mostShownFiles } from "../sales/case_parts/attachments.ts";
import { readFullCases, selectCasesAmong, selectRemainingCases } from "../sales/cases/queries.ts";
import { changeCase } from "../sales/cases/write.ts";
import type { Statement } from "../platform/database/database.ts";
import { noChange, type PlannedStep, type StagedKind, type Take } from "../staged/kind.ts";
import { runStaged } from "../staged/run.ts";
import type { FileFacts } from "./access.ts";
import { selectFilesBelow } from "./place.ts";

/** Cases in a step, so that it holds the write lock for well under 100 ms. */
const most = 20;

const kind = "files_of_cases";

/** The cases whose events are not sent yet, or the folder whose files have all changed. */
type Payload = { readonly cases: readonly string[] } | { readonly folder: string };

/** Sends `case_updated` for cases whose files changed. */
export const filesOfCasesWork: StagedKind = {
  kind,
  step({ payload: text }, take) {
    const payload = JSON.parse(text) as Payload;
    return "folder" in payload ? findCases(payload.folder) : updateCases(payload.cases, take);
  },
};

/** Commits a change of files with the work that sends `case_updated` for the cases that show them. */
export async function commitFiles<T>(
  ctx: Context,
  files: readonly Pick<FileFacts, "id" | "in_cases">[],
  { statements, ...change }: Change<T>,
): Promise<Answer<T>> {
  const ids = JSON.stringify(files.map(({ id }) => id));
  const cases = selectCasesShowing(sql`select value from json_each(${ids})`);
  const work = makeId();
  const answer = await commit(ctx, {
    ...change,
    // The work comes first, while the files are still attached.
    statements: [...markShown([beginCases(ctx, ctx.caller.companyId, work, cases)]), ...statements],
  });
  if (files.some((file) => file.in_cases)) beginNow(ctx, work);
  return answer;
}

/** Begins work for the cases that show files of a folder with a new owner; see `beginNow`. */
export function beginFolder({ caller, at }: Context, work: string, folderId: string): Statement {
  const payload: Payload = { folder: folderId };
  return sql`insert into staged_work (company_id, kind, subject, payload, created_at)
    values (${caller.companyId}, ${kind}, ${work}, ${JSON.stringify(payload)}, ${at})`;
}

/** Begins work for the cases (a select), if there are any. */
export function beginCases(
  { at }: { readonly at: string },
  companyId: number,
  work: string,
  cases: Sql,
): Statement {
  return sql`insert into staged_work (company_id, kind, subject, payload, created_at)
    select ${companyId}, ${kind}, ${work}, json_object('cases', json_group_array(id)), ${at}
    from (${cases}) having count(*) > 0`;
}

/** Runs the steps of this work, or of all if null, after the answer. Otherwise a job runs them. */
export function beginNow({ deps, now }: Pick<Context, "deps" | "now">, work: string | null): void {
  deps.background.run(() => runStaged(deps, now, [filesOfCasesWork], work));
}

/** SQL: the ids of cases that show one of the files of the ids (a select). */
export function selectCasesShowing(fileIds: Sql): Sql {
  return sql`select distinct a.entity_id as id from attachments a where a.entity_type = 'case'
    and a.file_id in (${fileIds}) and not exists (select 1 from attachments b
      where b.entity_type = 'case' and b.entity_id = a.entity_id
      and (b.attached_at, b.file_id) > (a.attached_at, a.file_id)
    limit 1 offset ${bindRows(mostShownFiles - 1)})`;
}

function findCases(folder: string): PlannedStep {
  return {
    reads: [
      sql`select json_object('cases', json_group_array(id)) as payload
        from (${selectCasesShowing(selectFilesBelow(folder))})`,
    ],
    apply(_author, [found]) {
      const payload = found!.rows[0]!.payload as string;
      return { ...noChange, more: (JSON.parse(payload) as { cases: string[] }).cases.length > 0, payload };
    },
  };
}

function updateCases(ids: readonly string[], take: Take): PlannedStep {
  const taken = take(sql`select value as id from json_each(${JSON.stringify(ids)})`, most);
  return {
    reads: [
      sql`select json_group_array(id) as ids from (${taken.ids})`,
      ...selectCasesAmong(selectRemainingCases(taken.ids)),
    ],
    apply(author, [chosen, ...found]) {
      const done = new Set(JSON.parse(chosen!.rows[0]!.ids as string) as string[]);
      const writes = readFullCases(found).map((of) => changeCase(author, of, {}));
      const payload: Payload = { cases: ids.filter((id) => !done.has(id)) };
      return {
        statements: writes.flatMap(({ statements }) => statements),
        events: writes.map(({ event }) => event),
        more: done.size >= taken.most,
        payload: JSON.stringify(payload),
      };
    },
  };
}
