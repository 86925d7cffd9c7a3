/** Wire shapes of `/files`. */
import { z } from "zod";
import { counts } from "../../core/budgets.ts";
import { describePage, paging, search, sorting } from "../../http/lists.ts";
import { refusal } from "../../http/validate.ts";
import { flag, integerId, optional } from "../../http/zod.ts";
import { mostBytes } from "../content.ts";
import { longestNames, nameText } from "../names.ts";
import { FileWithToken } from "../schema.ts";
import { permissionTypes } from "../table.ts";
import { fileList } from "./list.ts";

export const FilePage = describePage(FileWithToken, "FilePage");

export const FileListQuery = z.object({ ...paging, ...search, ...sorting(fileList.sorts) });

export const FileUsage = z.object({
  files: z.int().meta({ example: 31 }),
  bytes: z.int().meta({ example: 20_418_377, description: "With published pictures and campaign letters." }),
  quota: z.int().nullable().meta({ example: null, description: "The most bytes; null: no limit." }),
}).meta({ id: "FileUsage" });

/** The most bytes of a body with a file in base64, with room for its other members and for escaped slashes. */
export const uploadLimit = 15 * 1024 * 1024;

const data = z.string().meta({
  format: "byte",
  description:
    `The content in standard base64 with padding, in lines or not; at most ${mostBytes} bytes, may be empty.`,
  example: "SGVsbG8sIHdvcmxkIQo=",
});

const permissions = z.array(z.object({ type: z.enum(permissionTypes), value: integerId }))
  .refine(
    (list) => list.length <= counts.permissions,
    refusal("max", `At most ${counts.permissions} permissions.`),
  ).meta({
    description: "The company, and groups and teams of it, whose members may read the file; none by default.",
    example: [{ type: "team", value: 12 }],
  });

const name = nameText(longestNames.files).meta({ example: "offer.pdf" });

export const FileBody = z.object({
  name,
  data,
  permissions: optional(permissions),
  public: flag(false).meta({
    description:
      "Whether all users of the company may read it, and everybody who knows its public address. " +
      "Needs the right `files.publish`.",
  }),
}).meta({ id: "FileBody", example: { name: "hello.txt", data: "SGVsbG8sIHdvcmxkIQo=" } });

export const FileChange = z.object({
  name: name.optional(),
  permissions: optional(permissions),
  public: optional(z.boolean()).meta({
    description: "Publishing needs the right `files.publish`; ending it does not.",
  }),
}).meta({ id: "FileChange", example: { name: "hello again.txt", public: false } });

export const FileReplacement = z.object({ data }).meta({
  id: "FileReplacement",
  example: { data: "SGVsbG8gYWdhaW4hCg==" },
});

export type FileBody = z.output<typeof FileBody>;
export type FileChange = z.output<typeof FileChange>;
export type FileListQuery = z.output<typeof FileListQuery>;
