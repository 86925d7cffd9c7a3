/** Every trigger and full-text index, gathered for migrations as `schema.ts` gathers the tables. */
import type { SchemaObject } from "./db/triggers.ts";
import { accountFacts } from "./customers/accounts/facts.ts";
import { contactFacts } from "./customers/contacts/facts.ts";
import { savedFilterFacts } from "./customers/saved_filters/facts.ts";
import { userFacts } from "./identity/users/facts.ts";
import { campaignFacts } from "./messages/campaigns/facts.ts";
import { correspondenceFacts } from "./messages/correspondence/facts.ts";
import { activityFacts } from "./sales/activities/facts.ts";
import { caseFacts } from "./sales/cases/facts.ts";
import { leadFacts } from "./sales/leads/facts.ts";
import { noteFacts } from "./sales/notes/facts.ts";
import { taskFacts } from "./sales/tasks/facts.ts";
import { accountTriggers } from "./customers/accounts/triggers.ts";
import { contactTriggers } from "./customers/contacts/triggers.ts";
import { fieldTriggers } from "./customers/fields/triggers.ts";
import { refusalTriggers } from "./customers/refusals/triggers.ts";
import { textTriggers } from "./customers/texts/triggers.ts";
import { nameTriggers } from "./insight/deleted_names.ts";
import { deliveryTriggers } from "./delivery/webhooks/triggers.ts";
import { notificationTriggers } from "./delivery/notifications/triggers.ts";
import { applicationTriggers } from "./identity/applications/triggers.ts";
import { tokenTriggers } from "./identity/auth/triggers.ts";
import { companyTriggers } from "./identity/companies/triggers.ts";
import { groupTriggers } from "./identity/groups/triggers.ts";
import { roleTriggers } from "./identity/roles/triggers.ts";
import { teamTriggers } from "./identity/teams/triggers.ts";
import { userTriggers } from "./identity/users/triggers.ts";
import { indicatorSetTriggers } from "./insight/indicator_sets/triggers.ts";
import { gameTriggers } from "./insight/gamification/triggers.ts";
import { rankTriggers } from "./insight/ranks/triggers.ts";
import { rollupTriggers } from "./insight/rollups/triggers.ts";
import { scheduledReportTriggers } from "./insight/scheduled/triggers.ts";
import { libraryTriggers } from "./library/triggers.ts";
import { automatedTriggers } from "./messages/automated/triggers.ts";
import { campaignTriggers } from "./messages/campaigns/triggers.ts";
import { correspondenceTriggers } from "./messages/correspondence/triggers.ts";
import { templateTriggers } from "./messages/templates/triggers.ts";
import { automatedSendTriggers } from "./sales/automated_sends/triggers.ts";
import { caseTriggers } from "./sales/cases/triggers.ts";
import { leadTypeTriggers } from "./sales/lead_types/triggers.ts";
import { leadTriggers } from "./sales/leads/triggers.ts";
import { noteTriggers } from "./sales/notes/triggers.ts";
import { productTriggers } from "./sales/products/triggers.ts";
import { pathTriggers } from "./sales/relations_paths/triggers.ts";
import { taskTriggers } from "./sales/tasks/triggers.ts";

export const schemaObjects: readonly SchemaObject[] = [
  ...companyTriggers,
  ...userTriggers,
  ...groupTriggers,
  ...teamTriggers,
  ...roleTriggers,
  ...applicationTriggers,
  ...tokenTriggers,
  ...fieldTriggers,
  ...accountTriggers,
  ...contactTriggers,
  ...refusalTriggers,
  ...textTriggers,
  ...productTriggers,
  ...pathTriggers,
  ...leadTypeTriggers,
  ...leadTriggers,
  ...caseTriggers,
  ...taskTriggers,
  ...noteTriggers,
  ...libraryTriggers,
  ...templateTriggers,
  ...campaignTriggers,
  ...automatedTriggers,
  ...automatedSendTriggers,
  ...correspondenceTriggers,
  ...indicatorSetTriggers,
  ...rankTriggers,
  ...gameTriggers,
  ...rollupTriggers,
  ...scheduledReportTriggers,
  ...notificationTriggers,
  ...deliveryTriggers,
  ...userFacts,
  ...accountFacts,
  ...contactFacts,
  ...savedFilterFacts,
  ...leadFacts,
  ...caseFacts,
  ...activityFacts,
  ...taskFacts,
  ...noteFacts,
  ...campaignFacts,
  ...correspondenceFacts,
  ...nameTriggers,
];
