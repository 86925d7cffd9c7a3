/** SQL for the places of files and folders, for records that show files, and for the library. */
import { identifier, literal, type Sql, sql } from "../../db/statements.ts";

/** The deepest level of a folder; a folder at the root has level 1. */
export const deepestLevel = 20;

/**
 * SQL: the place of a file or folder as JSON for `parsePlace`, from the columns of an alias; null for a file
 * without a place. `removed`: SQL for whether the row itself is being deleted.
 */
export function selectPlaceJson(alias: string, removed: Sql = sql`0`): Sql {
  const of = (column: string) => identifier(alias, column);
  return sql`(with recursive up(folder_id, belongs_to, belongs_to_id, removed, level) as (
      select ${of("folder_id")}, ${of("belongs_to")}, ${of("belongs_to_id")}, ${removed}, 0
      union all select p.folder_id, p.belongs_to, p.belongs_to_id, p.deleted_at is not null, up.level + 1
        from up join folders p on p.id = up.folder_id where up.level <= ${literal(deepestLevel)})
    select json_object('belongs_to', top.belongs_to, 'belongs_to_id', top.belongs_to_id, 'level', top.level,
      'removed', json(iif(top.removed, 'true', 'false')), 'group_id', (select t.group_id from teams t
        where top.belongs_to = 'team' and t.id = top.belongs_to_id))
    from (select max(belongs_to) as belongs_to, max(belongs_to_id) as belongs_to_id, max(level) as level,
      max(removed) as removed from up) top where top.belongs_to is not null)`;
}

/**
 * SQL: whether no folder above a file or folder is being deleted. `folderId`: SQL for the id of its folder. For
 * lists.
 */
export function isAlive(companyId: number | Sql, folderId: Sql): Sql {
  return sql`(${folderId} is null
    or not exists (select 1 from folders r where r.company_id = ${companyId} and r.deleted_at is not null)
    or not exists (with recursive up(id, folder_id, deleted_at, level) as (
      select d.id, d.folder_id, d.deleted_at, 0 from folders d where d.id = ${folderId}
      union all select p.id, p.folder_id, p.deleted_at, up.level + 1 from up join folders p on p.id = up.folder_id
        where up.level <= ${literal(deepestLevel)})
      select 1 from up where up.deleted_at is not null))`;
}
