/** The tables of the library. Its features share them: a file is one record with several views. */
import { sql } from "drizzle-orm";
import { type AnySQLiteColumn, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { flag, timestamps, version } from "../db/columns.ts";
import { companies } from "../identity/companies/table.ts";
import { cascadeAtOnce, declareReferences, leaveTo } from "../db/references.ts";

/** The owners of items at the root of the file manager. */
export const belongings = ["company", "group", "team", "user"] as const;
export type Belonging = typeof belongings[number];

/** The types of readers that a permission of a file names. */
export const permissionTypes = ["company", "group", "team"] as const;
export type PermissionType = typeof permissionTypes[number];

/** Records that files are attached to. A file attached to a folder is in it instead. */
export const attachedTypes = ["account", "contact", "case", "lead"] as const;
export type AttachedType = typeof attachedTypes[number];

/** Folders of the file manager. A folder in another one belongs to what the topmost folder belongs to. */
export const folders = sqliteTable("folders", {
  id: text().primaryKey(),
  company_id: integer().notNull().references(() => companies.id),
  user_id: integer().notNull(),
  name: text().notNull(),
  /** The name without case and accents, for sorting. */
  name_key: text().notNull(),
  folder_id: text().references((): AnySQLiteColumn => folders.id),
  /** Set only for a folder at the root. */
  belongs_to: text({ enum: belongings }),
  /** The id of the company, group, team or user. */
  belongs_to_id: integer(),
  /** Set while the folder and everything in it are being removed, which hides them from all users. */
  deleted_at: text(),
  /** Files that are still to be removed with the folder, and their bytes. They no longer count as usage. */
  removed_files: integer().notNull().default(0),
  removed_bytes: integer().notNull().default(0),
  ...timestamps,
  ...version,
}, (table) => [
  index("folders_by_folder").on(table.folder_id, table.name_key, table.id),
  index("folders_at_root").on(
    table.company_id,
    table.belongs_to,
    table.belongs_to_id,
    table.name_key,
    table.id,
  ).where(sql`${table.belongs_to} is not null`),
  // To hand the folders of a deleted user to the successor.
  index("folders_by_owner").on(table.company_id, table.user_id),
  // Seldom has any rows: reads check first whether the company has a folder being deleted.
  index("folders_in_removal").on(table.company_id).where(sql`${table.deleted_at} is not null`),
]);

export const files = sqliteTable("files", {
  /** The row id that the full-text index uses. */
  seq: integer().primaryKey(),
  id: text().notNull().unique(),
  company_id: integer().notNull().references(() => companies.id),
  /** The owner. */
  user_id: integer().notNull(),
  name: text().notNull(),
  /** The name without case and accents, for sorting. */
  name_key: text().notNull(),
  /** The ending of the name in lower case, or empty. */
  type: text().notNull(),
  /** Bytes. */
  size: integer().notNull(),
  /** SHA-256 of the content in lower-case hex. */
  digest: text().notNull(),
  /** The media type, judged by the content: `detectMediaType`. */
  media: text().notNull(),
  /** The key of the content in the storage. */
  object_key: text().notNull(),
  public: flag(),
  /** The folder that it is in. */
  folder_id: text().references(() => folders.id),
  /** Set only for a file at the root. A file without this and without a folder has no place. */
  belongs_to: text({ enum: belongings }),
  /** The id of the company, group, team or user. */
  belongs_to_id: integer(),
  /** The user who put the file into its place, and when; null for a file without a place. */
  placed_by: integer(),
  placed_at: text(),
  /** The key of the published picture in the storage. */
  picture_key: text(),
  /** Its permissions as a JSON list such as `["team:12"]`, kept by triggers. */
  readers: text().notNull().default("[]"),
  ...timestamps,
  ...version,
}, (table) => [
  index("files_by_owner").on(table.company_id, table.user_id, table.created_at, table.id),
  // For a search that finds many files.
  index("files_by_creation").on(table.company_id, table.created_at, table.id),
  index("files_by_folder").on(table.folder_id, table.name_key, table.id),
  index("files_at_root").on(
    table.company_id,
    table.belongs_to,
    table.belongs_to_id,
    table.name_key,
    table.id,
  ).where(sql`${table.belongs_to} is not null`),
  // For the files of a folder or root as attachments, the newest first.
  index("files_placed_in_folder").on(table.folder_id, table.placed_at, table.id)
    .where(sql`${table.folder_id} is not null`),
  index("files_placed_at_root").on(
    table.company_id,
    table.belongs_to,
    table.belongs_to_id,
    table.placed_at,
    table.id,
  ).where(sql`${table.belongs_to} is not null`),
]);

/** The company, groups and teams that may read a file. */
export const filePermissions = sqliteTable("file_permissions", {
  file_id: text().notNull().references(() => files.id),
  type: text({ enum: permissionTypes }).notNull(),
  /** The id of the company, group or team. */
  value: integer().notNull(),
  company_id: integer().notNull(),
  /** The `created_at` of the file, which never changes. */
  created_at: text().notNull(),
}, (table) => [
  primaryKey({ columns: [table.file_id, table.type, table.value] }),
  // For the list of permitted files in their order, and for a deleted group or team.
  index("file_permissions_by_value").on(
    table.company_id,
    table.type,
    table.value,
    table.created_at,
    table.file_id,
  ),
]);

/**
 * The number of files by owner and permissions, kept by triggers. The list takes its total from it without
 * counting.
 */
export const fileTotals = sqliteTable("file_totals", {
  company_id: integer().notNull(),
  user_id: integer().notNull(),
  readers: text().notNull(),
  n: integer().notNull(),
}, (table) => [
  primaryKey({ columns: [table.company_id, table.user_id, table.readers] }),
  // For files of other owners that a member may read. Most files have no permissions.
  index("file_totals_permitted").on(table.company_id).where(sql`${table.readers} <> '[]'`),
]);

/** Files that are attached to records. */
export const attachments = sqliteTable("attachments", {
  entity_type: text({ enum: attachedTypes }).notNull(),
  entity_id: text().notNull(),
  file_id: text().notNull().references(() => files.id),
  company_id: integer().notNull(),
  attached_by: integer().notNull(),
  attached_at: text().notNull(),
}, (table) => [
  primaryKey({ columns: [table.entity_type, table.entity_id, table.file_id] }),
  index("attachments_by_record").on(table.entity_type, table.entity_id, table.attached_at, table.file_id),
  index("attachments_by_file").on(table.file_id),
]);

/** The number of a company's files, and the bytes of files, published pictures and campaign letters, kept by triggers. */
export const fileUsage = sqliteTable("file_usage", {
  company_id: integer().primaryKey(),
  files: integer().notNull(),
  bytes: integer().notNull(),
});

/**
 * The number of folders and files that are directly in a folder or a root, kept by triggers. Folders being deleted do
 * not count.
 */
export const folderContents = sqliteTable("folder_contents", {
  company_id: integer().notNull(),
  /** The id of a folder, or the belonging and id of a root, such as `team:12`. */
  place: text().notNull(),
  folders: integer().notNull(),
  files: integer().notNull(),
}, (table) => [primaryKey({ columns: [table.company_id, table.place] })]);

export type FolderRow = typeof folders.$inferSelect;
export type FileRow = typeof files.$inferSelect;

/** What its columns name, and what happens when that is deleted. */
export const folderReferences = declareReferences(folders, {
  user_id: { user: leaveTo("library/deletion/users.ts#fileReassignment", "reassign", "step") },
  folder_id: { folder: leaveTo("library/manager/delete_folder.ts#deleteFolder", "cascade") },
  // Without a successor folders go to the user who deletes the team or group; own ones go with their user.
  belongs_to_id: {
    team: leaveTo("library/deletion/teams.ts#teamFiles", "reassign", "step"),
    group: leaveTo("library/deletion/groups.ts#groupFiles", "step"),
    user: leaveTo("library/deletion/users.ts#fileReassignment", "reassign", "cascade"),
  },
});
export const fileReferences = declareReferences(files, {
  user_id: { user: leaveTo("library/deletion/users.ts#fileReassignment", "reassign", "keep") },
  folder_id: { folder: leaveTo("library/manager/delete_folder.ts#deleteFolder", "cascade") },
  // Without a successor the file lies nowhere, where its owner and admins read it.
  belongs_to_id: {
    team: leaveTo("library/deletion/teams.ts#teamFiles", "reassign", "clear"),
    group: leaveTo("library/deletion/groups.ts#groupFiles", "clear"),
    user: leaveTo("library/deletion/users.ts#fileReassignment", "reassign", "clear"),
  },
  // A file that loses its place forgets who put it there.
  placed_by: { user: leaveTo("library/deletion/users.ts#fileReassignment", "keep", "step") },
});
export const filePermissionReferences = declareReferences(filePermissions, {
  file_id: { file: cascadeAtOnce },
  value: {
    team: leaveTo("library/deletion/roots.ts#rootStep", "cascade"),
    group: leaveTo("library/deletion/roots.ts#rootStep", "cascade"),
  },
});
export const fileTotalReferences = declareReferences(fileTotals, {
  user_id: "a counter, kept by triggers",
});
const detach = leaveTo("customers/attached_files.ts#detachFiles", "cascade");
export const attachmentReferences = declareReferences(attachments, {
  entity_id: { account: detach, contact: detach, case: detach, lead: detach },
  file_id: { file: cascadeAtOnce },
  attached_by: { user: "keep" },
});
