/** Wire shapes of merges. */
import { z } from "zod";
import { Account } from "../../customers/accounts/record.ts";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { Contact } from "../../customers/contacts/record.ts";
import { describePage, paging } from "../../http/lists.ts";
import { describeNamedMembers } from "../../http/named_members.ts";
import { optional, uuid } from "../../http/zod.ts";
import { mergedTypes } from "./table.ts";

const id = "01939c5e-7d3a-7c3f-8a55-0a4be5a1a030";
const stamp = "2026-01-31 10:00:00";

export const sides = ["this", "other"] as const;

export const MergeBody = z.object({
  from_id: uuid.meta({ description: "The record that goes. Of the same kind, and visible to the caller." }),
  take: optional(describeNamedMembers(z.enum(sides))).meta({
    description:
      "Whose value a field gets: `this` (also when it is empty) or `other`. Names are those of fixed " +
      "fields, `custom.<name>`, `team_id` (of accounts), `user_id` and `external_id`. Other fields keep this " +
      "record's value and, where that is empty, take the other's.",
    example: { city: "other" },
  }),
  dry_run: optional(z.boolean()).meta({ description: "Answers what would be, and changes nothing." }),
}).meta({ id: "MergeBody", example: { from_id: id, take: { city: "other" } } });
export type MergeBody = z.output<typeof MergeBody>;

/** Kinds of records that move. */
export const movedKinds = [
  "contacts",
  "cases",
  "leads",
  "notes",
  "files",
  "tasks",
  "correspondences",
  "campaign_messages",
] as const;
export type Moved = Readonly<Record<(typeof movedKinds)[number], number>>;

const count = z.int().meta({ example: 1 });
export const MovedRecords = z.object({
  contacts: count,
  cases: count,
  leads: count,
  notes: count,
  files: count,
  tasks: count,
  correspondences: count,
  campaign_messages: count,
}).meta({ id: "MovedRecords" });

const merged = {
  merge_id: z.uuid().nullable().meta({ description: "Null for a dry run." }),
  moved: MovedRecords,
};

export const MergedAccount = z.object({ ...merged, record: Account }).meta({ id: "MergedAccount" });
export const MergedContact = z.object({ ...merged, record: Contact }).meta({ id: "MergedContact" });

export const Merge = z.object({
  id: z.uuid().meta({ example: id }),
  entity_type: z.enum(mergedTypes),
  entity_id: z.uuid(),
  from_id: z.uuid(),
  moved: MovedRecords,
  user: UserSummary.nullable(),
  created_at: z.string().meta({ example: stamp }),
  undone_at: z.string().nullable().meta({ example: null }),
}).meta({ id: "Merge", description: "A merge of two accounts or contacts." });

export const MergePage = describePage(Merge, "MergePage");

export const MergeListQuery = z.object({
  ...paging,
  entity_type: z.enum(mergedTypes).optional(),
  entity_id: uuid.optional(),
});

export const keptReasons = ["changed", "deleted", "moved", "taken"] as const;

export const Undone = z.object({
  restored: MovedRecords,
  kept: z.array(
    z.object({
      entity_type: z.string().meta({ example: "case" }),
      entity_id: z.string(),
      field: z.string().nullable().meta({ example: "account_id" }),
      reason: z.enum(keptReasons),
    }).meta({ id: "KeptField" }),
  ).meta({ description: "What somebody has changed, deleted or moved since. It stays as it is." }),
}).meta({ id: "UndoneMerge" });
export type KeptField = z.output<typeof Undone>["kept"][number];
