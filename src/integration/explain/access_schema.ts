/** Wire shapes of the explanation of access. */
import { z } from "zod";
import { queryInteger } from "../../http/zod.ts";

export const accessEntities = [
  "accounts",
  "contacts",
  "cases",
  "leads",
  "notes",
  "files",
  "campaigns",
  "automated-communications",
  "templates",
] as const;
export type AccessEntity = (typeof accessEntities)[number];

/** The rules by which records are seen, in the order in which they are asked, and those by which they are not. */
export const accessRules = [
  "admin",
  "owner",
  "own_team",
  "group",
  "shared",
  "agency",
  "permission",
  "attached",
  "folder",
  "public",
  "other_team",
  "no_team",
  "expired",
  "private",
  "not_shared",
  "deleted_user",
] as const;
export type AccessRule = (typeof accessRules)[number];

export const AccessQuery = z.object({
  user_id: queryInteger(1, 999_999_999_999_999).meta({ example: 7 }),
  entity: z.enum(accessEntities).meta({ example: "accounts" }),
  id: z.string().meta({
    description: "The id of the record.",
    example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001",
  }),
});

export const AccessExplanation = z.object({
  user_id: z.int().meta({ example: 7 }),
  entity: z.enum(accessEntities),
  id: z.string(),
  visible: z.boolean().meta({ description: "Whether the user's GET answers with the record." }),
  rule: z.enum(accessRules).meta({ description: "The first rule by which the user sees it, or does not." }),
  why: z.string().meta({ example: "The user sees it as a member of its team." }),
}).meta({ id: "AccessExplanation" });
