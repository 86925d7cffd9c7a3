/** Triggers of imports. The bytes of their files count with those of the company's files. */
import { type SchemaObject, trigger } from "../../db/triggers.ts";

const uses = "insert into file_usage (company_id, files, bytes) values (new.company_id, 0, new.bytes)\n" +
  "    on conflict (company_id) do update set bytes = bytes + excluded.bytes";
const releases = "update file_usage set bytes = bytes - old.bytes where company_id = old.company_id";

export const importTriggers: readonly SchemaObject[] = [
  trigger("import_usage_made", "after insert on imports when new.object_key is not null", uses),
  trigger(
    "import_usage_removed",
    "after update of object_key on imports when old.object_key is not null and new.object_key is null",
    releases,
  ),
  trigger("import_usage_deleted", "after delete on imports when old.object_key is not null", releases),
];
