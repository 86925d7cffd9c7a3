/** All features, in the order of the layers; those of a wing in the order of the documentation. */
import type { Feature } from "./feature.ts";
import { foundation } from "./foundation.ts";
import { registration } from "./identity/registration/feature.ts";
import { companiesFeature } from "./identity/companies/feature.ts";
import { sso } from "./identity/sso/feature.ts";
import { usersFeature } from "./identity/users/feature.ts";
import { invitationsFeature } from "./identity/invitations/feature.ts";
import { resets } from "./identity/resets/feature.ts";
import { teamsFeature } from "./identity/teams/feature.ts";
import { groupsFeature } from "./identity/groups/feature.ts";
import { rolesFeature } from "./identity/roles/feature.ts";
import { applicationsFeature } from "./identity/applications/feature.ts";
import { auth } from "./identity/auth/feature.ts";
import { attemptsFeature } from "./identity/attempts/feature.ts";
import { pictures } from "./identity/pictures/feature.ts";
import { duplicates } from "./customers/duplicates/feature.ts";
import { filterable } from "./customers/filterable/feature.ts";
import { customerLists } from "./customers/lists/feature.ts";
import { savedFiltersFeature } from "./customers/saved_filters/feature.ts";
import { accountsFeature } from "./customers/accounts/feature.ts";
import { contactsFeature } from "./customers/contacts/feature.ts";
import { customerDeletion } from "./customers/deletion/feature.ts";
import { fieldsFeature } from "./customers/fields/feature.ts";
import { refusalsFeature } from "./customers/refusals/feature.ts";
import { texts } from "./customers/texts/feature.ts";
import { categoriesFeature } from "./sales/categories/feature.ts";
import { productsFeature } from "./sales/products/feature.ts";
import { relationsPathsFeature } from "./sales/relations_paths/feature.ts";
import { leadTypesFeature } from "./sales/lead_types/feature.ts";
import { agency } from "./sales/agency/feature.ts";
import { leadDuplicates } from "./sales/duplicates/feature.ts";
import { leadsFeature } from "./sales/leads/feature.ts";
import { casesFeature } from "./sales/cases/feature.ts";
import { activitiesFeature } from "./sales/activities/feature.ts";
import { automatedSendsFeature } from "./sales/automated_sends/feature.ts";
import { tasksFeature } from "./sales/tasks/feature.ts";
import { timeline } from "./sales/timeline/feature.ts";
import { notesFeature } from "./sales/notes/feature.ts";
import { salesDeletion } from "./sales/deletion/feature.ts";
import { filesFeature } from "./library/files/feature.ts";
import { attachmentsFeature } from "./library/attachments/feature.ts";
import { folderFiles } from "./library/folder_files/feature.ts";
import { manager } from "./library/manager/feature.ts";
import { publishedPictures } from "./library/pictures/feature.ts";
import { libraryDeletion } from "./library/deletion/feature.ts";
import { previews } from "./messages/previews/feature.ts";
import { templatesFeature } from "./messages/templates/feature.ts";
import { campaignSettingsFeature } from "./messages/campaign_settings/feature.ts";
import { refusalsOfMessages } from "./messages/refusals/feature.ts";
import { correspondenceFeature } from "./messages/correspondence/feature.ts";
import { campaignsFeature } from "./messages/campaigns/feature.ts";
import { automatedFeature } from "./messages/automated/feature.ts";
import { unsubscribing } from "./messages/unsubscribe/feature.ts";
import { openedFeature } from "./messages/opened/feature.ts";
import { inbound } from "./messages/inbound/feature.ts";
import { indicatorsFeature } from "./insight/indicators/feature.ts";
import { indicatorSetsFeature } from "./insight/indicator_sets/feature.ts";
import { reports } from "./insight/reports/feature.ts";
import { chartsFeature } from "./insight/charts/feature.ts";
import { exportsFeature } from "./insight/exports/feature.ts";
import { scheduledReportsFeature } from "./insight/scheduled/feature.ts";
import { deprecatedReports } from "./insight/deprecated/feature.ts";
import { keptReports } from "./insight/kept_reports/feature.ts";
import { gamification } from "./insight/gamification/feature.ts";
import { rollups } from "./insight/rollups/feature.ts";
import { ranksFeature } from "./insight/ranks/feature.ts";
import { mails } from "./delivery/mails/feature.ts";
import { notificationsFeature } from "./delivery/notifications/feature.ts";
import { webhooksFeature } from "./delivery/webhooks/feature.ts";
import { batch } from "./integration/batch/feature.ts";
import { feed } from "./integration/feed/feature.ts";
import { explain } from "./integration/explain/feature.ts";
import { columnsFeature } from "./integration/columns/feature.ts";
import { importsFeature } from "./integration/imports/feature.ts";
import { recordExportsFeature } from "./integration/exports/feature.ts";
import { metrics } from "./integration/metrics/feature.ts";
import { mergesFeature } from "./integration/merges/feature.ts";
import { counts } from "./console/counts/feature.ts";
import { preferencesFeature } from "./console/preferences/feature.ts";
import { recentFeature } from "./console/recent/feature.ts";
import { searchFeature } from "./console/search/feature.ts";
import { viewsFeature } from "./console/views/feature.ts";

export const features: readonly Feature[] = [
  foundation,
  registration,
  companiesFeature,
  sso,
  usersFeature,
  invitationsFeature,
  resets,
  teamsFeature,
  groupsFeature,
  rolesFeature,
  applicationsFeature,
  auth,
  attemptsFeature,
  pictures,
  customerLists,
  filterable,
  duplicates,
  savedFiltersFeature,
  accountsFeature,
  contactsFeature,
  customerDeletion,
  fieldsFeature,
  refusalsFeature,
  texts,
  categoriesFeature,
  productsFeature,
  relationsPathsFeature,
  leadTypesFeature,
  agency,
  leadsFeature,
  leadDuplicates,
  casesFeature,
  activitiesFeature,
  automatedSendsFeature,
  tasksFeature,
  timeline,
  notesFeature,
  salesDeletion,
  filesFeature,
  attachmentsFeature,
  folderFiles,
  manager,
  publishedPictures,
  libraryDeletion,
  previews,
  templatesFeature,
  campaignSettingsFeature,
  refusalsOfMessages,
  correspondenceFeature,
  campaignsFeature,
  automatedFeature,
  unsubscribing,
  openedFeature,
  inbound,
  indicatorsFeature,
  indicatorSetsFeature,
  reports,
  chartsFeature,
  exportsFeature,
  scheduledReportsFeature,
  deprecatedReports,
  keptReports,
  gamification,
  rollups,
  ranksFeature,
  mails,
  notificationsFeature,
  webhooksFeature,
  counts,
  batch,
  feed,
  columnsFeature,
  importsFeature,
  recordExportsFeature,
  explain,
  metrics,
  mergesFeature,
  searchFeature,
  preferencesFeature,
  recentFeature,
  viewsFeature,
];
