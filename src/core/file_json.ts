/** The JSON of a file that the library and the records with files share. */

/** The columns of a file that its JSON shows, with its permissions and its place. */
export interface FileColumns {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly public: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly user_id: number;
  readonly company_id: number;
  readonly folder_id: string | null;
  readonly permissions: readonly { readonly type: "company" | "group" | "team"; readonly value: number }[];
  /** Null: the file has no place. */
  readonly place:
    | { readonly belongs_to: "company" | "group" | "team" | "user"; readonly belongs_to_id: number }
    | null;
}

/** The members of a file's JSON, in their order. */
export function fileMembers(file: FileColumns) {
  return {
    id: file.id,
    name: file.name,
    type: file.type,
    size: file.size,
    public: file.public === 1,
    created_at: file.created_at,
    updated_at: file.updated_at,
    user_id: file.user_id,
    company_id: file.company_id,
    permissions: file.permissions.map(({ type, value }) => ({ type, value })),
    folder_id: file.folder_id,
    belongs_to: file.place?.belongs_to ?? null,
    belongs_to_id: file.place?.belongs_to_id ?? null,
  };
}
