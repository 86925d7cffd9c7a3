/** Every table, gathered for drizzle-kit. */
export * from "./db/tables.ts";
export * from "./facts/tables.ts";
export * from "./staged/table.ts";
export * from "./identity/tables/companies.ts";
export * from "./identity/tables/groups.ts";
export { teamMemberReferences, teamMembers, teamReferences, teams } from "./identity/teams/record.ts";
export * from "./identity/tables/users.ts";
export {
  roleRightReferences,
  roleRights,
  roles,
  userRoleReferences,
  userRoles,
} from "./identity/roles/record.ts";
export * from "./identity/tables/invitations.ts";
export * from "./identity/tables/applications.ts";
export * from "./identity/tables/auth.ts";
export * from "./identity/tables/attempts.ts";
export * from "./identity/tables/sso.ts";
export * from "./customers/fields/table.ts";
export * from "./customers/accounts/table.ts";
export * from "./customers/contacts/table.ts";
export * from "./customers/refusals/table.ts";
export * from "./customers/saved_filters/table.ts";
export * from "./customers/texts/table.ts";
export * from "./sales/relations_paths/table.ts";
export { leadTypeReferences, leadTypes } from "./sales/lead_types/record.ts";
export * from "./sales/cases/table.ts";
export * from "./sales/activities/table.ts";
export * from "./sales/automated_sends/table.ts";
export * from "./sales/tasks/table.ts";
export * from "./sales/timeline/table.ts";
export { noteReferences, notes } from "./sales/notes/record.ts";
export * from "./sales/leads/table.ts";
export { productCategories } from "./sales/products/category_record.ts";
export {
  productCategoryReferences,
  productReferences,
  products,
  productsInCategories,
  relatedProductReferences,
  relatedProducts,
} from "./sales/products/record.ts";
export * from "./library/table.ts";
export { templateReferences, templates } from "./messages/templates/record.ts";
export * from "./messages/correspondence/table.ts";
export * from "./messages/campaign_settings/table.ts";
export * from "./messages/campaigns/table.ts";
export * from "./messages/automated/table.ts";
export * from "./insight/charts/table.ts";
export * from "./insight/exports/table.ts";
export { indicatorSetReferences, indicatorSets } from "./insight/indicator_sets/record.ts";
export * from "./insight/gamification/table.ts";
export * from "./insight/kept_reports/table.ts";
export * from "./insight/ranks/table.ts";
export * from "./insight/rollups/table.ts";
export * from "./insight/scheduled/table.ts";
export * from "./delivery/notifications/table.ts";
export { webhookReferences, webhooks } from "./delivery/webhooks/record.ts";
export * from "./delivery/webhooks/table.ts";
