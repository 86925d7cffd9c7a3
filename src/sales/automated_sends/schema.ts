/** Wire shapes of the automated communications of a case. */
import { z } from "zod";
import { describePage, paging } from "../../http/lists.ts";
import { automatedStatuses } from "./table.ts";

export const automatedSendSorts = { send_at: "due_at" };
export const CaseAutomatedQuery = z.object({ ...paging });

export const CaseAutomated = z.object({
  id: z.uuid().meta({ example: "01939c5e-7d3a-7c3f-8a55-0a4be5a1a010" }),
  name: z.string().meta({ example: "Thanks" }),
  subject: z.string().meta({ example: "Your test drive" }),
  send_at: z.string().meta({ example: "2026-02-02 08:00:00" }),
  status: z.enum(automatedStatuses).meta({ example: "pending" }),
  reason: z.string().nullable().meta({
    description:
      "Why it was not sent, or not whole. Skipped: `case_moved` (the case has another status than the activity left it with), " +
      "`no_address`, `no_consent`, `bounced` (a mail server refused the address permanently), `deleted` (the " +
      "automated communication), `field_deleted` (its text names a deleted custom field), `past` (it was due more than a day " +
      "before the activity was recorded). Failed: the words of the mail server. Sent: what was left " +
      "out, because the user who chose it may not read it any more.",
    example: null,
  }),
}).meta({ id: "CaseAutomatedCommunication" });

export const CaseAutomatedPage = describePage(CaseAutomated, "CaseAutomatedCommunicationPage");
