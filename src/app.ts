/** The app: all endpoints behind one pipeline. No I/O and no state at module scope. */
import { Hono } from "hono";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { serveDocs } from "./docs/routes.ts";
import { apiDocument, discovery } from "./http/discovery.ts";
import { mount } from "./http/mount.ts";
import { companyEndpoints } from "./identity/companies/routes.ts";
import { registrationEndpoints } from "./identity/registration/routes.ts";
import { applicationReassignment } from "./identity/applications/deletion.ts";
import type { GroupDeletion } from "./identity/groups/deletion.ts";
import type { UserReassignment } from "./identity/users/deletion.ts";
import { userReassignment } from "./identity/users/reassignment.ts";
import { keepGroupRecords, type OwnedRecords, withTeamRecords } from "./identity/teams/owned_records.ts";
import { teamReassignmentWork } from "./identity/teams/reassignment.ts";
import { fileDetachment } from "./customers/attached_files.ts";
import { accountRemovalWork } from "./customers/removal/accounts.ts";
import { caseRemovalWork } from "./sales/case_removal/delete.ts";
import { companyErasureWork } from "./erase.ts";
import { fieldValueRemoval } from "./customers/fields/deleted_fields.ts";
import { teamFieldValues } from "./identity/teams/on_field_deleted.ts";
import { accountFieldValues } from "./customers/accounts/on_field_deleted.ts";
import { contactFieldValues } from "./customers/contacts/on_field_deleted.ts";
import { productFieldValues } from "./sales/products/on_field_deleted.ts";
import type { StagedKind } from "./staged/kind.ts";
import { pictureOperations, servePictures } from "./identity/pictures/serve.ts";
import { userEndpoints } from "./identity/users/routes.ts";
import { resetEndpoints } from "./identity/resets/routes.ts";
import { invitationEndpoints } from "./identity/invitations/routes.ts";
import { teamEndpoints } from "./identity/teams/routes.ts";
import { groupEndpoints } from "./identity/groups/routes.ts";
import { identityRemovalEndpoints } from "./identity/removal/routes.ts";
import { roleEndpoints } from "./identity/roles/routes.ts";
import { applicationEndpoints } from "./identity/applications/routes.ts";
import { ssoEndpoints } from "./identity/sso/routes.ts";
import { tokenEndpoints } from "./identity/auth/routes.ts";
import { authEndpoints, authOperations } from "./identity/auth/endpoints.ts";
import { accountEndpoints } from "./customers/accounts/routes.ts";
import { accountOfCompany } from "./customers/accounts/queries.ts";
import { contactEndpoints } from "./customers/contacts/routes.ts";
import type { Contribution } from "./customers/filter_catalogue.ts";
import { customerListEndpoints } from "./customers/lists/routes.ts";
import { customerRemovalEndpoints } from "./customers/removal/routes.ts";
import { stopSavedFilters } from "./customers/saved_filters/stop.ts";
import { savedFilterEndpoints } from "./customers/saved_filters/routes.ts";
import { userFilters, withTeamFilters } from "./customers/fields/removed_records.ts";
import { allUses } from "./customers/fields/uses.ts";
import { fieldEndpoints } from "./customers/fields/routes.ts";
import { productEndpoints } from "./sales/products/routes.ts";
import { salesFields } from "./sales/filter_fields.ts";
import { pathEndpoints } from "./sales/relations_paths/routes.ts";
import { groupDeletion } from "./sales/groups/deletion.ts";
import { leadTypeReassignment } from "./sales/lead_types/deletion.ts";
import { leadTypeEndpoints } from "./sales/lead_types/routes.ts";
import { agencyEndpoints } from "./sales/agency/routes.ts";
import { leadEndpoints } from "./sales/leads/routes.ts";
import { customerDependents } from "./sales/customers/dependents.ts";
import { contactMoveEffects } from "./sales/customers/on_moved.ts";
import { teamReassignment } from "./sales/teams/deletion.ts";
import { caseReassignment } from "./sales/tasks/deletion.ts";
import { caseEndpoints } from "./sales/cases/routes.ts";
import { caseRemovalEndpoints } from "./sales/case_removal/routes.ts";
import { activityEndpoints } from "./sales/activities/routes.ts";
import { caseAutomatedEndpoints } from "./sales/automated_sends/routes.ts";
import { taskEndpoints } from "./sales/tasks/routes.ts";
import { timelineEndpoints } from "./sales/timeline/routes.ts";
import { noteEndpoints } from "./sales/notes/routes.ts";
import { attachmentEndpoints } from "./library/attachments/routes.ts";
import { filesOfCasesWork } from "./library/shown_in_cases.ts";
import { fileEndpoints } from "./library/files/routes.ts";
import { folderFileEndpoints } from "./library/folder_files/routes.ts";
import { folderRemovalWork } from "./library/manager/delete_folder.ts";
import { managerEndpoints } from "./library/manager/routes.ts";
import { strayUpload } from "./library/manager/unknown_root.ts";
import { fileOperations, serveFiles } from "./library/files/serve.ts";
import { publishedPictureEndpoints } from "./library/pictures/routes.ts";
import { publishedPictureOperations, servePublishedPictures } from "./library/pictures/serve.ts";
import { groupFiles, groupFilesWork } from "./library/removal/groups.ts";
import { withTeamFiles } from "./library/removal/teams.ts";
import { fileReassignment } from "./library/removal/users.ts";
import { automatedEndpoints } from "./messages/automated/routes.ts";
import { automatedTemplates } from "./messages/automated/template_use.ts";
import { campaignReassignment } from "./messages/campaigns/deletion.ts";
import { letterOperations, serveLetters } from "./messages/campaigns/serve_letters.ts";
import { tasksWork } from "./messages/campaigns/make_tasks.ts";
import { campaignsOfField, campaignsOfGroup, withTeamCampaigns } from "./messages/campaigns/stop_approved.ts";
import { stoppingWork } from "./messages/campaigns/stop.ts";
import { recipientsWork } from "./messages/campaigns/write_recipients.ts";
import { campaignEndpoints } from "./messages/campaigns/routes.ts";
import { campaignTemplates } from "./messages/campaigns/template_use.ts";
import { refusalEndpoints } from "./messages/refusals/routes.ts";
import { campaignSettingsEndpoints } from "./messages/campaign_settings/routes.ts";
import { printedLetterOperations, servePrintedLetter } from "./messages/correspondence/serve_letter.ts";
import { previewEndpoints } from "./messages/previews/routes.ts";
import { previewOperations, servePreviews } from "./messages/previews/serve.ts";
import { activityCorrespondence } from "./messages/correspondence/activity.ts";
import { correspondenceEndpoints } from "./messages/correspondence/routes.ts";
import { inboundOperations, serveInbound } from "./messages/inbound/serve.ts";
import { openedOperations, serveOpened } from "./messages/opened/serve.ts";
import { templateEndpoints } from "./messages/templates/routes.ts";
import { chartEndpoints } from "./insight/charts/routes.ts";
import { chartOperations, serveCharts } from "./insight/charts/serve.ts";
import { reportEndpoints } from "./insight/reports/routes.ts";
import { serveUnsubscribing, unsubscribeOperations } from "./messages/unsubscribe/serve.tsx";
import { exportDeletion } from "./insight/exports/deletion.ts";
import { exportEndpoints } from "./insight/exports/routes.ts";
import { indicatorSetReassignment } from "./insight/indicator_sets/deletion.ts";
import { indicatorSetEndpoints } from "./insight/indicator_sets/routes.ts";
import type { SetUse } from "./insight/indicator_sets/uses.ts";
import { indicatorEndpoints } from "./insight/indicators/routes.ts";
import { deprecatedReportEndpoints } from "./insight/deprecated/routes.ts";
import { performanceOperations, servePerformance } from "./insight/deprecated/serve.ts";
import { keptReportEndpoints } from "./insight/kept_reports/routes.ts";
import { scheduledReportDeletion } from "./insight/scheduled/deletion.ts";
import { reportsOfGroup } from "./insight/scheduled/group_deletion.ts";
import { scheduledReportEndpoints } from "./insight/scheduled/routes.ts";
import { scheduledReportUse } from "./insight/scheduled/uses.ts";
import { gamificationEndpoints } from "./insight/gamification/routes.ts";
import { rankEndpoints } from "./insight/ranks/routes.ts";
import { notificationDeletion } from "./delivery/notifications/deletion.ts";
import { notificationEndpoints } from "./delivery/notifications/routes.ts";
import { eventOperations } from "./delivery/webhooks/event_operations.ts";
import { webhookReassignment } from "./delivery/webhooks/deletion.ts";
import { countsEndpoints } from "./console/counts/routes.ts";
import { webhookEndpoints } from "./delivery/webhooks/routes.ts";

/** The records that refer to indicator sets. */
const indicatorSetUses: readonly SetUse[] = [scheduledReportUse];

/** The stored filters that stop when something that they name is removed. */
const filterUse = allUses(campaignsOfField, stopSavedFilters);

/** Contributions of the features to the deletion of a user. */
export const userReassignments: readonly UserReassignment[] = [
  applicationReassignment,
  webhookReassignment,
  notificationDeletion,
  leadTypeReassignment,
  userFilters(filterUse),
  campaignReassignment,
  indicatorSetReassignment(indicatorSetUses),
  exportDeletion,
  scheduledReportDeletion,
  // These run in steps, so they follow the parts that end with the first commit.
  caseReassignment,
  fileReassignment,
];

/**
 * Tables whose rows belong to a team, a group or the company. They go to the successor of a deleted team, else to
 * their makers.
 */
const ownedRecords: readonly OwnedRecords[] = [
  { table: "templates", maker: "user_id" },
  { table: "campaigns", maker: "user_id" },
  { table: "automated_communications", maker: "created_by" },
  { table: "indicator_sets", maker: "user_id" },
  { table: "relations_paths", maker: "created_by" },
  { table: "ranks", maker: "created_by", members: true },
];

/** Contributions of the features to the deletion of teams and groups. */
const teamDeletion = withTeamFiles(
  withTeamCampaigns(withTeamFilters(withTeamRecords(teamReassignment, ownedRecords), filterUse)),
);
const groupRemoval: GroupDeletion = (...group) => [
  ...groupDeletion(...group),
  ...campaignsOfGroup(...group),
  ...keepGroupRecords(ownedRecords)(...group),
  ...reportsOfGroup(...group),
  ...groupFiles(...group),
];

/** Filter fields that other features add to accounts and contacts. */
export const filterFields: readonly Contribution[] = [salesFields];

/** Kinds of staged work, which a job does in steps. */
export const stagedKinds: readonly StagedKind[] = [
  userReassignment(userReassignments),
  teamReassignmentWork(teamDeletion),
  groupFilesWork,
  accountRemovalWork(customerDependents),
  caseRemovalWork,
  fileDetachment,
  folderRemovalWork,
  filesOfCasesWork,
  companyErasureWork,
  recipientsWork(filterFields),
  tasksWork,
  stoppingWork,
  fieldValueRemoval([accountFieldValues, contactFieldValues, teamFieldValues, productFieldValues]),
];

/** Every endpoint of `/v1` and `/upload`. Literal paths come before paths with parameters. */
export const endpoints: readonly Endpoint[] = [
  ...registrationEndpoints,
  ...companyEndpoints(accountOfCompany),
  ...ssoEndpoints,
  ...userEndpoints(userReassignments),
  ...invitationEndpoints,
  ...resetEndpoints,
  ...teamEndpoints,
  ...groupEndpoints(groupRemoval),
  ...roleEndpoints,
  ...identityRemovalEndpoints(teamDeletion),
  ...applicationEndpoints,
  ...tokenEndpoints,
  ...customerListEndpoints(filterFields),
  ...savedFilterEndpoints(filterFields),
  ...accountEndpoints,
  ...contactEndpoints(contactMoveEffects),
  ...customerRemovalEndpoints(customerDependents),
  ...fieldEndpoints(filterUse),
  ...productEndpoints(filterUse),
  ...pathEndpoints,
  ...leadTypeEndpoints,
  ...agencyEndpoints,
  ...leadEndpoints,
  ...caseEndpoints,
  ...caseRemovalEndpoints,
  ...activityEndpoints(activityCorrespondence),
  ...correspondenceEndpoints,
  ...caseAutomatedEndpoints,
  ...taskEndpoints,
  ...timelineEndpoints,
  ...noteEndpoints,
  ...fileEndpoints,
  ...attachmentEndpoints,
  ...folderFileEndpoints,
  ...managerEndpoints,
  ...publishedPictureEndpoints,
  ...previewEndpoints,
  ...templateEndpoints([campaignTemplates, automatedTemplates]),
  ...campaignSettingsEndpoints,
  ...refusalEndpoints,
  ...campaignEndpoints(filterFields),
  ...automatedEndpoints,
  ...indicatorEndpoints,
  ...indicatorSetEndpoints(indicatorSetUses),
  ...reportEndpoints,
  ...chartEndpoints,
  ...exportEndpoints,
  ...scheduledReportEndpoints,
  ...deprecatedReportEndpoints,
  ...keptReportEndpoints,
  ...gamificationEndpoints,
  ...rankEndpoints,
  ...notificationEndpoints,
  ...webhookEndpoints,
  ...countsEndpoints,
];

/** Builds the app over its dependencies. Two apps in one process share nothing. */
export function createApp(deps: Deps): Hono {
  const app = new Hono();
  const document = apiDocument({
    endpoints,
    byHand: [
      ...authOperations,
      ...pictureOperations,
      ...fileOperations,
      ...publishedPictureOperations,
      ...previewOperations,
      ...printedLetterOperations,
      ...letterOperations,
      ...chartOperations,
      ...performanceOperations,
      ...unsubscribeOperations,
      ...openedOperations,
      ...inboundOperations,
    ],
    webhooks: eventOperations,
  });
  discovery(app, deps, document);
  serveDocs(app, deps, { document, filterFields, endpoints });
  servePictures(app, deps);
  serveFiles(app, deps);
  servePublishedPictures(app, deps);
  servePreviews(app, deps);
  servePrintedLetter(app, deps);
  serveLetters(app, deps);
  serveCharts(app, deps);
  servePerformance(app, deps);
  serveUnsubscribing(app, deps);
  serveOpened(app, deps);
  serveInbound(app, deps);
  authEndpoints(app, deps);
  mount(app, deps, endpoints, [strayUpload]);
  return app;
}
