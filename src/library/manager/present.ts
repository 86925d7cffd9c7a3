/** Folder → wire shape. */
import type { FolderFacts } from "./folder_facts.ts";

export type ShownFolder =
  & Pick<
    FolderFacts,
    "id" | "name" | "created_at" | "updated_at" | "company_id" | "user_id" | "folder_id"
  >
  & { readonly place: Pick<FolderFacts["place"], "belongs_to" | "belongs_to_id"> };

/** The members of a folder's JSON. */
export function folderMembers(folder: ShownFolder) {
  return {
    id: folder.id,
    name: folder.name,
    created_at: folder.created_at,
    updated_at: folder.updated_at,
    company_id: folder.company_id,
    user_id: folder.user_id,
    folder_id: folder.folder_id,
    belongs_to: folder.place.belongs_to,
    belongs_to_id: folder.place.belongs_to_id,
  };
}

export function presentFolder(folder: ShownFolder) {
  return folderMembers(folder);
}
