/** Triggers of correspondences: their number in each case, and the files that arrived with them. */
import { makeTotalTriggers, type SchemaObject, trigger } from "../../db/triggers.ts";

/** SQL: the files of an arrived mail that nobody has put or shown anywhere but in its case. */
const arrived = "select f.id from json_each(old.file_ids) i join files f on f.id = i.value\n" +
  "    where f.company_id = old.company_id and f.belongs_to is null and f.folder_id is null\n" +
  "    and f.public = 0 and f.picture_key is null and f.readers = '[]' and not exists (select 1\n" +
  "    from attachments a where a.file_id = f.id and (a.entity_type <> 'case' or a.entity_id <> old.case_id))";

export const correspondenceTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({
    table: "correspondences",
    // The counters have the case in their column `status`.
    byStatus: "case_id",
  }),
  // What a deleted person sent would otherwise stay with a user who may not know of it.
  trigger(
    "arrived_files_forgotten",
    "after delete on correspondences when old.direction = 'in' and old.file_ids <> '[]'",
    "update objects set removed_from = 0 where removed_from is null and key in (\n" +
      `    select object_key from files where id in (${arrived}))`,
    `delete from attachments where file_id in (${arrived})`,
    `delete from files where id in (${arrived})`,
  ),
];
