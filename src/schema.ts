/** Every table, gathered for drizzle-kit. */
export * from "./db/tables.ts";
export * from "./identity/companies/table.ts";
export * from "./identity/groups/table.ts";
export * from "./identity/teams/table.ts";
export * from "./identity/users/table.ts";
export * from "./identity/roles/table.ts";
export * from "./identity/invitations/table.ts";
export * from "./identity/applications/table.ts";
export * from "./identity/auth/table.ts";
export * from "./customers/accounts/table.ts";
export * from "./customers/contacts/table.ts";
export * from "./sales/paths/table.ts";
export * from "./sales/lead_types/table.ts";
export * from "./sales/cases/table.ts";
export * from "./sales/activities/table.ts";
export * from "./sales/tasks/table.ts";
export * from "./sales/leads/table.ts";
