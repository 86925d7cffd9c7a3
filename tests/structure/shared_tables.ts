/** Tables that the check of features lets others name. The list names all there is, so that it cannot grow unseen. */

export interface SharedTable {
  readonly table: string;
  readonly reason: string;
  /** The features, beside its own, whose SQL names the table. */
  readonly features: readonly string[];
}

export const sharedTables: readonly SharedTable[] = [
  {
    table: "access_tokens",
    reason: "tokens of a user or client end together",
    features: ["identity/tokens"],
  },
  {
    table: "accounts",
    reason: "records show their account, and work on customers follows its deletion and moves",
    features: ["customers/contacts", "messages/campaigns", "sales/cases", "sales/leads", "sales/teams"],
  },
  {
    table: "activities",
    reason: "a case shows its activities, and filters find the products that they offer",
    features: ["sales/case_parts", "sales/products"],
  },
  {
    table: "activity_types",
    reason: "a case shows the types of its path as milestones",
    features: ["sales/cases"],
  },
  {
    table: "applications",
    reason: "sign-in reads the application that asks",
    features: ["identity/auth", "identity/sso"],
  },
  {
    table: "authorization_codes",
    reason: "tokens of a user or client end together",
    features: ["identity/tokens"],
  },
  {
    table: "case_milestones",
    reason: "a deleted activity type leaves the milestones of open cases",
    features: ["sales/relations_paths"],
  },
  {
    table: "cases",
    reason: "records of a case are visible with it, and follow its deletion",
    features: [
      "messages/campaigns",
      "messages/correspondence",
      "sales/case_removal",
      "sales/customers",
      "sales/leads",
      "sales/notes",
      "sales/products",
      "sales/tasks",
    ],
  },
  {
    table: "companies",
    reason: "writes read the company's settings, and check that it exists",
    features: [
      "customers/fields",
      "delivery/notifications",
      "delivery/webhooks",
      "identity/applications",
      "identity/auth",
      "identity/invitations",
      "identity/sso",
      "identity/users",
      "library/files",
      "library/pictures",
      "messages/campaign_settings",
      "messages/campaigns",
      "messages/correspondence",
      "messages/previews",
      "messages/unsubscribe",
      "sales/relations_paths",
    ],
  },
  {
    table: "contacts",
    reason: "records show their contact, and work on customers follows its deletion and moves",
    features: [
      "customers/accounts",
      "messages/campaigns",
      "messages/previews",
      "sales/cases",
      "sales/customers",
      "sales/leads",
      "sales/notes",
      "sales/teams",
    ],
  },
  { table: "device_codes", reason: "tokens of a user or client end together", features: ["identity/tokens"] },
  {
    table: "groups",
    reason: "teams show their group",
    features: ["identity/teams", "library/manager", "sales/agency"],
  },
  { table: "invitations", reason: "a deleted team leaves open invitations", features: ["identity/removal"] },
  {
    table: "lead_transitions",
    reason: "the acceptance of a lead names its case and its customer",
    features: ["sales/case_parts", "sales/customers"],
  },
  {
    table: "lead_types",
    reason: "a deleted path or team leaves the types of leads",
    features: ["sales/relations_paths", "sales/teams"],
  },
  {
    table: "leads",
    reason: "a case shows its lead",
    features: ["sales/case_parts", "sales/customers", "sales/teams"],
  },
  {
    table: "notes",
    reason: "notes follow the deletion and moves of their case and customer",
    features: ["sales/customers"],
  },
  {
    table: "refresh_tokens",
    reason: "tokens of a user or client end together",
    features: ["identity/tokens"],
  },
  {
    table: "relations_paths",
    reason: "cases and lead types show their path",
    features: ["messages/campaigns", "sales/cases", "sales/lead_types", "sales/teams"],
  },
  {
    table: "role_rights",
    reason: "the rights of a user come from their roles",
    features: ["identity/users"],
  },
  { table: "sessions", reason: "tokens of a user or client end together", features: ["identity/tokens"] },
  {
    table: "sso_drivers",
    reason: "a user signs on through the drivers of the company",
    features: ["identity/users"],
  },
  {
    table: "tasks",
    reason: "a case and its activities show their tasks",
    features: ["sales/case_parts"],
  },
  {
    table: "team_members",
    reason: "visibility and assignment depend on the members of a team",
    features: [
      "identity/removal",
      "identity/users",
      "messages/campaigns",
      "sales/lead_types",
      "sales/leads",
      "sales/teams",
    ],
  },
  {
    table: "teams",
    reason: "records show their team, and are visible by it",
    features: [
      "customers/fields",
      "delivery/notifications",
      "identity/groups",
      "library/manager",
      "messages/campaigns",
      "messages/previews",
      "sales/agency",
      "sales/lead_types",
      "sales/leads",
      "sales/notes",
      "sales/relations_paths",
    ],
  },
  {
    table: "templates",
    reason: "relations paths suggest templates, and campaigns name them",
    features: ["messages/campaigns", "sales/relations_paths"],
  },
  {
    table: "campaign_settings",
    reason: "campaigns are sent from the domain of the settings, and ask for consent as they say",
    features: ["messages/campaigns"],
  },
  {
    table: "case_numbers",
    reason: "calls of a campaign open several cases in one batch",
    features: ["messages/campaigns"],
  },
  {
    table: "campaigns",
    reason: "their domain and their relations path stay while campaigns wait",
    features: ["messages/campaign_settings", "sales/relations_paths"],
  },
  {
    table: "user_roles",
    reason: "a user shows their roles, and a deleted role leaves them",
    features: ["identity/removal", "identity/users"],
  },
  {
    table: "users",
    reason: "records show the names of their users",
    features: [
      "customers/accounts",
      "customers/contacts",
      "delivery/notifications",
      "delivery/webhooks",
      "identity/applications",
      "identity/auth",
      "identity/invitations",
      "identity/removal",
      "identity/roles",
      "identity/sso",
      "identity/teams",
      "messages/campaigns",
      "messages/correspondence",
      "messages/previews",
      "sales/cases",
      "sales/lead_types",
      "sales/leads",
      "sales/notes",
      "sales/tasks",
    ],
  },
];
