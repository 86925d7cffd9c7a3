/** Deletes a folder with everything in it: in one commit, or as staged work if there is too much. */
import { noContent } from "../../core/answer.ts";
import { makeId } from "../../core/ids.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { bindRows, guardVersions, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { listStatements, takeFirst, withFirstStep } from "../../staged/first_step.ts";
import type { PlannedStep, StagedKind, Take } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork, endWork } from "../../staged/work.ts";
import { beginCases, beginNow, selectCasesShowing } from "../shown_in_cases.ts";
import { selectFoldersBelow } from "../place.ts";
import { folders } from "../table.ts";
import { composeBytesOfFile } from "../usage.ts";
import { removeFiles } from "../write.ts";
import { type FolderFacts, guardFolder, requireWritableFolder, selectFolderById } from "./folder_facts.ts";
import { presentFolder } from "./present.ts";

/** Most files and most folders of one step. */
const stepFiles = 100;
const stepFolders = 100;

const kind = "folder_removal";

export const folderDeletionWork: StagedKind = {
  kind,
  step: ({ company_id, subject }, take) => removeFromTree(company_id, subject, take),
};

/**
 * 204. Deletes a small folder in one commit. For a large one, the commit hides it from every list, and steps
 * in the background delete it.
 */
export async function deleteFolder(ctx: Context, id: string) {
  const plan = removeFromTree(ctx.caller.companyId, id, takeFirst);
  const [found, ...results] = await ctx.deps.db.read([selectFolderById(ctx.caller, id), ...plan.reads]);
  const folder = requireWritableFolder(ctx.caller, found!.rows[0]);
  checkMatch(ctx, () => presentFolder(folder));
  const guards = [guardFolder(folder), guardVersions("folders", [folder])];
  return await withFirstStep(() => plan.apply(ctx, results), async (step) => {
    if (!step.more) {
      const statements = [...guards, ...listStatements(step)];
      const answer = await commit(ctx, { statements, events: step.events, answer: noContent });
      if (parseFiles(results[0]!).some(({ in_cases }) => in_cases === 1)) beginNow(ctx, null);
      return answer;
    }
    const answer = await commit(ctx, {
      statements: [...guards, ...hideFolder(ctx, folder)],
      answer: noContent,
    });
    ctx.deps.background.run(async () => {
      await runStaged(ctx.deps, ctx.now, [folderDeletionWork], id);
      beginNow(ctx, null);
    });
    return answer;
  });
}

/** Hides the folder with all in it, and begins its deletion. */
function hideFolder(ctx: Context, folder: FolderFacts): Statement[] {
  const { id, company_id } = folder;
  const below = sql`(${selectFoldersBelow(id)})`;
  const usage = (value: Sql) => sql`(select ifnull(${value}, 0) from files f where f.folder_id in ${below})`;
  return [
    // If a folder inside is already being deleted, its deletion becomes a part of this one.
    endWork(kind, below),
    sql`update folders set removed_files = 0, removed_bytes = 0 where id in ${below}
      and deleted_at is not null`,
    updateVersioned(folders, {
      deleted_at: ctx.at,
      removed_files: usage(sql`count(*)`),
      removed_bytes: usage(sql`sum(${composeBytesOfFile("f")})`),
    }, folder),
    guardChanged("folder"),
    beginWork(ctx, folderDeletionWork, { company_id, subject: id }),
  ];
}

/**
 * Plans a step: deletes files of the innermost folders, then those folders. The folder itself is deleted
 * last.
 */
function removeFromTree(companyId: number, id: string, take: Take): PlannedStep {
  const innermost = selectInnermostFolders(id);
  const { ids: taken } = take(sql`select id from files where folder_id in (${innermost})`, stepFiles);
  const { ids: emptied } = take(
    sql`select d.id from (${innermost}) d where not exists (select 1 from files f where f.folder_id = d.id
      and f.id not in (${taken}))`,
    stepFolders,
  );
  return {
    reads: [
      sql`select json_group_array(json_object('id', f.id, 'size', ${composeBytesOfFile("f")},
          'in_cases', exists (
            select 1 from attachments a where a.file_id = f.id and a.entity_type = 'case'))) as files
        from files f where f.id in (${taken})`,
      sql`select json_group_array(e.id) as folders from (${emptied}) e`,
    ],
    apply({ at, now, deps }, [foundFiles, foundFolders]) {
      const files = parseFiles(foundFiles!);
      const empty = JSON.parse(foundFolders!.rows[0]!.folders as string) as string[];
      const ids = sql`select value from json_each(${JSON.stringify(files.map(({ id }) => id))})`;
      const bytes = files.reduce((sum, { size }) => sum + size, 0);
      const more = files.length + empty.length > 0 && !empty.includes(id);
      return {
        statements: [
          ...(more ? [] : [guardContents(id, ids)]),
          beginCases({ at }, companyId, makeId(), selectCasesShowing(ids)),
          ...removeFiles(deps, ids, now),
          sql`update folders set removed_files = max(0, removed_files - ${files.length}),
            removed_bytes = max(0, removed_bytes - ${bytes}) where id = ${id}`,
          sql`delete from folders where id in (select value from json_each(${JSON.stringify(empty)}))`,
        ],
        events: [],
        more,
      };
    },
  };
}

interface TreeFile {
  readonly id: string;
  /** Bytes, with those of its published picture. */
  readonly size: number;
  /** 1: it is attached to a case. */
  readonly in_cases: number;
}

function parseFiles({ rows: [row] }: Result): TreeFile[] {
  return JSON.parse(row!.files as string) as TreeFile[];
}

/**
 * Rejects the batch when one of the files (a select of ids) is no longer in the folder: it would be deleted
 * too.
 */
function guardContents(id: string, files: Sql): Statement {
  return guardThat(
    "contents",
    sql`not exists (select 1 from files where id in (${files}) and folder_id is not ${id})`,
  );
}

/** SQL: some folders of the tree that contain no folder. Searches depth first. */
function selectInnermostFolders(id: string): Sql {
  return sql`with recursive down(id, level) as (select id, 0 from folders where id = ${id}
      union all select d.id, down.level + 1 from down join folders d on d.folder_id = down.id order by 2 desc)
    select down.id from down where not exists (select 1 from folders c where c.folder_id = down.id)
    limit ${bindRows(stepFolders)}`;
}
