/** What folders and files keep for search and order, computed again. */
import type { Row } from "../platform/database/database.ts";
import { changeForms, only, type Reindexed } from "../staged/reindex.ts";
import { addNameKey } from "./names.ts";
import { indexName } from "./write.ts";

export const reindexedFolders: Reindexed = {
  table: "folders",
  select: only("name", "name_key"),
  write: (_, rows) => changeForms("folders", rows, nameKey),
};

export const reindexedFiles: Reindexed = {
  table: "files",
  select: only("name", "name_key"),
  write: (_, rows) => [
    ...changeForms("files", rows, nameKey),
    ...rows.map(({ id, company_id, name }) =>
      indexName({ id: String(id), company_id: Number(company_id), name: String(name) })
    ),
  ],
};

function nameKey({ name }: Row) {
  return { name_key: addNameKey(String(name)).name_key };
}
