/**
 * Hands the folders and files of a deleted user to the successor. Without a successor, deletes the user's own
 * folders. Their files stay without a place, where admins may read them.
 */
import { bindRows, type Sql, sql } from "../../db/statements.ts";
import type { UserDeletion, UserReassignment, UserStep } from "../../identity/users/deletion.ts";
import type { Take } from "../../staged/kind.ts";
import { composeClearedPlace, countRecords, isMore, mostRows, type Root, selectAtRoot } from "./roots.ts";

export const fileReassignment: UserReassignment = {
  inSteps: true,
  step: (deletion, take) =>
    deletion.successor_id === null ? withoutSuccessor(deletion, take) : toSuccessor(deletion, take),
};

function toSuccessor(deletion: UserDeletion, take: Take): UserStep {
  const { company_id, user_id, successor_id } = deletion;
  const of = (table: "folders" | "files") => {
    const owned = table === "files"
      ? sql`select id from files where company_id = ${company_id} and user_id = ${user_id}`
      : sql`select id from folders where company_id = ${company_id} and user_id = ${user_id}`;
    return take([owned, selectAtRoot(table, makeRoot(deletion))], mostRows);
  };
  const [folders, files] = [of("folders"), of("files")];
  return {
    reads: [countRecords([folders, files])],
    apply({ at }, _successor, [found]) {
      const set = sql`user_id = iif(user_id = ${user_id}, ${successor_id}, user_id),
        belongs_to_id = iif(belongs_to = 'user' and belongs_to_id = ${user_id}, ${successor_id}, belongs_to_id),
        updated_at = ${at}, version = version + 1`;
      return {
        statements: [
          sql`update folders set ${set} where id in (${folders.ids})`,
          sql`update files set ${set} where id in (${files.ids})`,
        ],
        events: [],
        more: isMore(found!, [folders, files]),
      };
    },
  };
}

/**
 * Plans a step: takes files out of the folders that contain no folder, then deletes these folders. No step
 * leaves a part of a folder.
 */
function withoutSuccessor(deletion: UserDeletion, take: Take): UserStep {
  const atTop = take(selectAtRoot("files", makeRoot(deletion)), mostRows);
  const innermost = selectInnermostFolders(makeRoot(deletion));
  const inFolders = take(sql`select id from files where folder_id in (${innermost})`, mostRows);
  const emptied = take(
    sql`select id from (${innermost}) d where not exists (select 1 from files f where f.folder_id = d.id)`,
    mostRows,
  );
  return {
    reads: [
      countRecords([atTop, inFolders]),
      sql`select exists (${innermost}) as found`,
    ],
    apply({ at }, _successor, [numbers, folders]) {
      const nowhere = composeClearedPlace(at);
      const hasFolders = folders!.rows[0]!.found === 1;
      return {
        statements: [
          sql`update files set ${nowhere} where id in (${atTop.ids})`,
          ...(hasFolders
            ? [
              sql`update files set ${nowhere} where id in (${inFolders.ids})`,
              sql`delete from folders where id in (${emptied.ids})`,
            ]
            : []),
        ],
        events: [],
        more: hasFolders || isMore(numbers!, [atTop, inFolders]),
      };
    },
  };
}

function makeRoot({ company_id, user_id }: UserDeletion): Root {
  return { company_id, belongs_to: "user", belongs_to_id: user_id };
}

/**
 * SQL: the ids of some folders below a root that contain no folder. Searches depth first. Skips a folder in
 * deletion: it is deleted together with its files, so these are at no time without a place.
 */
function selectInnermostFolders(root: Root): Sql {
  return sql`with recursive down(id, level) as (
      select id, 1 from (${selectAtRoot("folders", root)} and deleted_at is null limit ${bindRows(mostRows)})
      union all select d.id, down.level + 1 from down join folders d on d.folder_id = down.id
        where d.deleted_at is null order by 2 desc)
    select down.id from down where not exists (select 1 from folders c where c.folder_id = down.id)
    limit ${bindRows(mostRows)}`;
}
