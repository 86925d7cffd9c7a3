import type { Feature } from "../../feature.ts";
import { scheduledReportDeletion } from "./deletion.ts";
import { deliverReports } from "./deliver.ts";
import { reportsOfGroup } from "./group_deletion.ts";
import { selectScheduleNotice } from "./notice.ts";
import { scheduledReportEndpoints } from "./routes.ts";
import {
  reportRecipientReferences,
  scheduledReportRecipients,
  scheduledReportReferences,
  scheduledReports,
} from "./record.ts";

export const scheduledReportsFeature: Feature = {
  folder: "insight/scheduled",
  tables: [scheduledReports, scheduledReportRecipients],
  references: [scheduledReportReferences, reportRecipientReferences],
  triggers: ["triggers.ts"],
  endpoints: scheduledReportEndpoints,
  jobs: { send: { deliverReports } },
  notices: { scheduled_report: selectScheduleNotice },
  userDeletion: [scheduledReportDeletion],
  groupDeletion: reportsOfGroup,
};
