/** What notifications show of records, contributed by their features. */
import { shownContact } from "./customers/contacts/notice.ts";
import { shownByType } from "./db/shown_records.ts";
import { shownWebhook } from "./delivery/webhooks/notice.ts";
import { shownSchedule } from "./insight/scheduled/notice.ts";
import { shownCampaign } from "./messages/campaigns/notice.ts";
import { shownEmail } from "./messages/correspondence/notice.ts";
import { shownCase } from "./sales/cases/notice.ts";
import { shownLeadType } from "./sales/lead_types/notice.ts";

export const notices = shownByType({
  campaign: shownCampaign,
  case: shownCase,
  contact: shownContact,
  email: shownEmail,
  lead_type: shownLeadType,
  scheduled_report: shownSchedule,
  webhook: shownWebhook,
});
