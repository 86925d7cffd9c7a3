/** Wire shapes of correspondences. */
import { z } from "zod";
import { UserSummary } from "../../identity/users/user_summary.ts";
import { describePage, paging } from "../../http/lists.ts";
import { integerId } from "../../http/zod.ts";
import { correspondenceStatuses } from "./table.ts";

const address = z.object({ name: z.string(), address: z.string() });

const shared = {
  id: z.uuid(),
  case_id: z.uuid(),
  activity_id: z.uuid().nullable().meta({ description: "Null: received, or sent automatically." }),
  type: z.enum(["email", "letter"]),
  direction: z.enum(["out", "in"]),
  status: z.enum(correspondenceStatuses).meta({
    description:
      "Outgoing: `draft` until it is sent, then `pending`, `sent` or `failed`; a letter is `made`. Incoming: `received`.",
  }),
  from: address.nullable().meta({ example: { name: "Ada Lovelace", address: "ada@example.com" } }),
  to: z.string().nullable(),
  user: UserSummary.nullable().meta({ description: "The user who wrote it." }),
  subject: z.string().nullable().meta({ example: "Your offer" }),
  template_id: z.int().nullable(),
  files: z.array(z.object({ id: z.uuid(), name: z.string(), size: z.int() })).meta({
    description: "The files that still exist and that the caller may read, or sent.",
  }),
  file_count: z.int().meta({ description: "The number of files that still exist.", example: 1 }),
  error: z.string().nullable().meta({ description: "Why it was not sent." }),
  sent_at: z.string().nullable(),
  opened_at: z.string().nullable().meta({
    description: "The first time that the e-mail was opened, where the company's `email_tracking` is on.",
  }),
  created_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
  updated_at: z.string().meta({ example: "2026-01-31 10:00:00" }),
};

export const Correspondence = z.object({
  ...shared,
  content: z.string().nullable().meta({ description: "HTML, as it was sent or received." }),
}).meta({ id: "Correspondence", description: "An e-mail or a letter of a case." });

export const ListedCorrespondence = z.object(shared).meta({ id: "ListedCorrespondence" });
export const CorrespondencePage = describePage(ListedCorrespondence, "CorrespondencePage");
export const CorrespondenceQuery = z.object(paging);

const ids = z.array(integerId).max(100).optional();
export const NotifyBody = z.object({
  notify: z.object({ users: ids, teams: ids }).meta({
    description: "Users and teams who see the case; at least one.",
  }),
}).meta({ id: "CorrespondenceNotify", example: { notify: { users: [12] } } });
export type NotifyBody = z.output<typeof NotifyBody>;

export const Queued = z.object({ queued: z.literal(true) }).meta({ id: "CorrespondenceNotified" });
