/** Deletes a folder with all in it: in one commit, or, when it has too much, as staged work. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/guards.ts";
import { bounded, type Sql, sql, updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import { allStatements, takeFirst, withFirstStep } from "../../staged/first_step.ts";
import type { PlannedStep, StagedKind, Take } from "../../staged/kind.ts";
import { runStaged } from "../../staged/run.ts";
import { beginWork, endWork } from "../../staged/work.ts";
import { folders } from "../table.ts";
import { folderById, type FolderFacts, guardFolder, writableFolder } from "./folder_facts.ts";
import { presentFolder } from "./present.ts";

/** Files, and folders, of one step. */
const stepFiles = 100;
const stepFolders = 100;

const kind = "folder_removal";

export const folderRemovalWork: StagedKind = {
  kind,
  step: ({ subject }, take) => removeFromTree(subject, take),
};

/** 204. A folder with little in it goes in the same commit; a large one is gone from every list with it. */
export async function deleteFolder(ctx: Context, id: string) {
  const plan = removeFromTree(id, takeFirst);
  const [found, ...results] = await ctx.deps.db.read([folderById(ctx.caller, id), ...plan.reads]);
  const folder = writableFolder(ctx.caller, found!.rows[0]);
  checkMatch(ctx, () => presentFolder(folder));
  const guards = [guardFolder(folder), guardVersions("folders", [folder])];
  return await withFirstStep(() => plan.apply(ctx, results), async (step) => {
    if (!step.more) {
      const statements = [...guards, ...allStatements(step)];
      return await commit(ctx, { statements, events: step.events, answer: noContent });
    }
    const answer = await commit(ctx, {
      statements: [...guards, ...withdrawn(ctx, folder)],
      answer: noContent,
    });
    ctx.deps.background.run(() => runStaged(ctx.deps, ctx.now, [folderRemovalWork], id));
    return answer;
  });
}

/** Hides the folder with all in it, and begins its removal. */
function withdrawn(ctx: Context, folder: FolderFacts): Statement[] {
  const { id, company_id } = folder;
  const below = sql`(with recursive down(id) as (select ${id}
    union all select d.id from down join folders d on d.folder_id = down.id) select id from down)`;
  const usage = (value: Sql) => sql`(select ifnull(${value}, 0) from files f where f.folder_id in ${below})`;
  return [
    // A folder in it that is in removal goes on as a part of this one.
    endWork(kind, below),
    sql`update folders set removed_files = 0, removed_bytes = 0 where id in ${below}
      and deleted_at is not null`,
    updateVersioned(folders, {
      deleted_at: ctx.at,
      removed_files: usage(sql`count(*)`),
      removed_bytes: usage(sql`sum(f.size)`),
    }, folder),
    guardChanged("folder"),
    beginWork(ctx, folderRemovalWork, { company_id, subject: id }),
  ];
}

/** Files of the innermost folders first, then those folders; the folder itself goes last. */
function removeFromTree(id: string, take: Take): PlannedStep {
  const innermost = innermostFolders(id);
  const { ids: taken } = take(sql`select id from files where folder_id in (${innermost})`, stepFiles);
  const { ids: emptied } = take(
    sql`select d.id from (${innermost}) d where not exists (select 1 from files f where f.folder_id = d.id
      and f.id not in (${taken}))`,
    stepFolders,
  );
  return {
    reads: [
      sql`select json_group_array(json_array(f.id, f.size)) as files from files f where f.id in (${taken})`,
      sql`select json_group_array(e.id) as folders from (${emptied}) e`,
    ],
    apply({ now }, [foundFiles, foundFolders]) {
      const files = JSON.parse(foundFiles!.rows[0]!.files as string) as [id: string, size: number][];
      const empty = JSON.parse(foundFolders!.rows[0]!.folders as string) as string[];
      const ids = sql`select value from json_each(${JSON.stringify(files.map(([id]) => id))})`;
      const bytes = files.reduce((sum, [, size]) => sum + size, 0);
      return {
        statements: [
          sql`update objects set removed_from = ${now} where removed_from is null and key in (
            select object_key from files where id in (${ids})
            union all select picture_key from files where id in (${ids}) and picture_key is not null)`,
          sql`delete from attachments where file_id in (${ids})`,
          sql`delete from file_permissions where file_id in (${ids})`,
          sql`delete from files where id in (${ids})`,
          sql`update folders set removed_files = max(0, removed_files - ${files.length}),
            removed_bytes = max(0, removed_bytes - ${bytes}) where id = ${id}`,
          sql`delete from folders where id in (select value from json_each(${JSON.stringify(empty)}))`,
        ],
        events: [],
        more: files.length + empty.length > 0 && !empty.includes(id),
      };
    },
  };
}

/** SQL: some folders of the tree that have no folder in them; goes down before it goes aside. */
function innermostFolders(id: string): Sql {
  return sql`with recursive down(id, level) as (select id, 0 from folders where id = ${id}
      union all select d.id, down.level + 1 from down join folders d on d.folder_id = down.id order by 2 desc)
    select down.id from down where not exists (select 1 from folders c where c.folder_id = down.id)
    limit ${bounded(stepFolders)}`;
}
