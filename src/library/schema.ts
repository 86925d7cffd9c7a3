/** Wire shapes of files. */
import { z } from "zod";
import { belongings, permissionTypes } from "./table.ts";

const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001";

export const FilePermission = z.object({
  type: z.enum(permissionTypes).meta({ example: "team" }),
  value: z.int().meta({ example: 12, description: "The id of the company, group or team." }),
}).meta({ id: "FilePermission" });

/** The canonical shape, which `presentFile` returns. */
export const File = z.object({
  id: z.uuid().meta({ example: id }),
  name: z.string().meta({ example: "offer.pdf" }),
  type: z.string().meta({
    example: "pdf",
    description: "The ending of the name in lower case, or empty.",
  }),
  size: z.int().meta({ example: 48213, description: "Bytes." }),
  public: z.boolean().meta({ example: false }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  user_id: z.int().meta({ example: 7, description: "The owner." }),
  company_id: z.int().meta({ example: 1 }),
  permissions: z.array(FilePermission),
  folder_id: z.uuid().nullable().meta({
    example: null,
    description: "Null at the root, and for files without a place in the file manager.",
  }),
  belongs_to: z.enum(belongings).nullable().meta({
    example: null,
    description: "What its root in the file manager belongs to; null: the file is not in the file manager.",
  }),
  belongs_to_id: z.int().nullable().meta({ example: null }),
}).meta({
  id: "StoredFile",
  description:
    "Its owner reads it, as do users that its permissions name, users who see a record that it is " +
    "attached to or the folder that it is in, all users of the company when it is public, and admins.",
});

/** A file with its download token, as answers of `/files` and of records show it. */
export const FileWithToken = File.extend({
  download_token: z.string().optional().meta({
    example: "AQGTnF59Onw_ilUKS-WhoAGfnTqJZ1pVRgAAAAAABwGboQ8sAFr0Yz4b0aW3kq8h2vXl7Q",
    description:
      "For `GET /v1/files/download/{download_token}`, which needs no other token: new in each answer, " +
      "good for 24 hours as long as its user may read the file, and until the file is replaced. Absent in an " +
      "answer that is repeated for an `Idempotency-Key`.",
  }),
}).meta({ id: "FileWithToken", extends: File });
