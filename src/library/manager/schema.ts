/** Wire shapes of `/filemanager`. */
import { z } from "zod";
import { declareUnread } from "../../http/ignored_members.ts";
import { Pagination } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { integerId, optional, queryInteger, uuid } from "../../http/zod.ts";
import { longestNames, nameText } from "../names.ts";
import { File } from "../schema.ts";
import { type Belonging, belongings } from "../table.ts";
import { mostItems } from "./contents.ts";

const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const Folder = z.object({
  id: z.uuid().meta({ example: id }),
  name: z.string().meta({ example: "Offers" }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  company_id: z.int().meta({ example: 1 }),
  user_id: z.int().meta({ example: 7, description: "The user who created it." }),
  folder_id: z.uuid().nullable().meta({ example: null, description: "Null at the root." }),
  belongs_to: z.enum(belongings).meta({ example: "team" }),
  belongs_to_id: z.int().meta({ example: 12 }),
}).meta({ id: "Folder" });

export const FolderWithItems = Folder.extend({
  folders: z.array(Folder),
  files: z.array(File),
  pagination: Pagination,
}).meta({ id: "FolderWithItems", extends: Folder });

export const ItemPage = z.object({
  data: z.object({ folders: z.array(Folder), files: z.array(File) }),
  pagination: Pagination,
}).meta({ id: "FileManagerPage" });

export const DownloadLink = z.object({
  url: z.string().meta({ example: "https://crm.example.org/files/AQGTnF59Onw" }),
}).meta({ id: "DownloadLink" });

const queryId = queryInteger(1, Number.MAX_SAFE_INTEGER).optional().meta({ example: 12 });

const paging = {
  page: queryInteger(0, 1_000_000_000).optional().meta({ example: 1, description: "Counts from 1." }),
  per_page: queryInteger(1, mostItems).optional().meta({
    example: 100,
    description: `1 to ${mostItems}, and ${mostItems} when absent; folders come first.`,
  }),
};

export const FolderQuery = z.object(paging);

/** A group or team is read for the root of one, and a folder that is given decides the place. */
function unreadRoots({ belongs_to, folder_id }: Readonly<Record<string, unknown>>): string[] {
  return belongings.filter((name) => belongs_to !== name || folder_id).map((name) => `${name}_id`);
}

export const ItemQuery = declareUnread(
  z.object({
    belongs_to: z.enum(belongings).optional().meta({
      example: "team",
      description: "Absent: all that the caller may read.",
    }),
    group_id: queryId.meta({ description: "With `belongs_to=group`; absent: that of the active team." }),
    team_id: queryId.meta({ description: "With `belongs_to=team`; absent: the active team." }),
    ...paging,
  }),
  unreadRoots,
);

export const UploadQuery = z.object({
  group_id: queryId.meta({ description: "For `group`; absent: that of the active team." }),
  team_id: queryId.meta({ description: "For `team`; absent: the active team." }),
});

const { group_id, team_id } = UploadQuery.shape;
const folder_id = uuid.optional().meta({ description: "The folder; it decides the place." });

/** Where an upload to each root goes: in its query, or as fields of its form beside the file. */
export const uploadFields = {
  company: z.object({ folder_id }),
  group: z.object({ group_id, folder_id }),
  team: z.object({ team_id, folder_id }),
  user: z.object({ folder_id }),
} as const satisfies Readonly<Record<Belonging, z.ZodType>>;
export type UploadQuery = z.output<typeof UploadQuery>;
export type UploadFields = UploadQuery & { folder_id?: string | undefined };

const name = nameText(longestNames.filemanager).meta({ example: "Offers" });

const belongs_to = z.enum(belongings).meta({
  example: "user",
  description: "`group` and `team` are the group and team given, else those of the active team.",
});

const place = {
  group_id: optional(integerId),
  team_id: optional(integerId),
  folder_id: uuid.nullable().optional().meta({ example: null, description: "Null: the root." }),
};

export const FolderBody = declareUnread(
  z.object({ name, belongs_to, ...place })
    .meta({ id: "FolderBody", example: { name: "Offers", belongs_to: "user" } }),
  unreadRoots,
);

const change = z.object({
  name: name.optional(),
  belongs_to: belongs_to.optional().meta({
    description:
      "Absent: that of a given folder, else what it belongs to now. `group` and `team` are the group " +
      "and team given, else those that it belongs to, else those of the active team.",
  }),
  ...place,
});

/** Without `belongs_to`, what the item belongs to now decides. */
const unreadInChange = (values: Readonly<Record<string, unknown>>) =>
  values.belongs_to || values.folder_id ? unreadRoots(values) : [];

export const FolderChange = declareUnread(
  change.meta({ id: "FolderChange", example: { name: "Old offers" } }),
  unreadInChange,
);

export const ManagedFileChange = declareUnread(
  change.meta({
    id: "ManagedFileChange",
    example: { name: "offer.pdf", belongs_to: "user", folder_id: null },
  }),
  unreadInChange,
);

/** Most files of one deletion. */
const mostFiles = 100;

export const FileBatch = z.object({
  files: z.array(uuid).refine((ids) => ids.length > 0, refusal("min", "At least 1 file."))
    .refine((ids) => ids.length <= mostFiles, refusal("max", `At most ${mostFiles} files.`)),
}).meta({ id: "FileBatch", example: { files: [id] } });

export type ItemQuery = z.output<typeof ItemQuery>;
export type FolderBody = z.output<typeof FolderBody>;
export type FolderChange = z.output<typeof FolderChange>;
export type ManagedFileChange = z.output<typeof ManagedFileChange>;
