/** Every list of the API, with each request whose time must not grow with the number of rows. */
import type { CallerName } from "./grown.ts";
import { madeAt, makeWord, toUuid } from "./grown_rows.ts";

export interface List {
  /** The endpoint's path as it is declared. */
  readonly path: string;
  /** Values of the path's parameters by name. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly callers: readonly CallerName[];
  /** Query strings. Each is requested for the first page and for a page deep in the list. */
  readonly queries: readonly string[];
  /** Query strings that select 20 rows, requested for the first page. */
  readonly filters: readonly string[];
}

/** A list that is requested by POST, with filters that select 20 rows. */
export interface FilteredList {
  readonly path: string;
  readonly caller: CallerName;
  /** Query strings and filters. Each pair is requested for the first page. */
  readonly queries: readonly string[];
  readonly filters: readonly (readonly Condition[])[];
}

type Condition = { readonly field: string; readonly operator: string; readonly value: unknown };

const sellers = ["seller", "member"] as const;
const many = ["chief", "person"] as const;

/** The group of rows 420 to 439, which share a word. Each row is created a minute after the previous one. */
const twenty = 21;
const search = `search=${makeWord(twenty)}`;
const end = encodeURIComponent(madeAt(twenty * 20 + 19));
const window = `start_at=${encodeURIComponent(madeAt(twenty * 20))}&end_at=${end}`;
const dates = window.replace("start_at", "start_date").replace("end_at", "end_date");
const user = `users=${10 + twenty}`;

/** Lists that are short by their nature, so that they do not grow with the rows. */
export const short: readonly string[] = [
  // Integrations of one company: made one by one, by hand.
  "/v1/applications",
  // Made one by one, by hand.
  "/v1/accounts/filters",
  "/v1/contacts/filters",
  "/v1/views",
  // Made one by one, by hand.
  "/v1/exports",
  "/v1/merges",
  // Files of one company, sent one by one, by hand; and the rows of one file, whose count takes 0.1 ms a thousand.
  "/v1/imports",
  "/v1/imports/:import_id/errors",
  "/v1/imports/:import_id/kept",
  // Tokens of one user, from the last hour.
  "/v1/tokens",
  // Open invitations of one company, made one by one in the last seven days.
  "/v1/companies/:company_id/invitations",
  // Partners of one company, each with a contract.
  "/v1/agency/dealers",
];

/** What finds records without pages. */
export const unpaged: readonly List[] = [{
  path: "/v1/search",
  callers: sellers,
  queries: [],
  filters: [`q=${makeWord(twenty)}`, "q=421"],
}];

export const lists: readonly List[] = [
  {
    path: "/v1/accounts",
    callers: sellers,
    queries: listSorts("last_activity_at", "created_at", "updated_at", "name"),
    filters: [
      search,
      window,
      user,
      `created_with_lead_types=${toUuid("lead_type", 1)}`,
      "created_with_lead_sources=fair",
    ],
  },
  {
    path: "/v1/contacts",
    callers: sellers,
    queries: listSorts("last_activity_at", "created_at", "updated_at", "last_name"),
    filters: [search, window, user],
  },
  // An account with a fifth of all contacts, in its default order; then an account with ten contacts, in any
  // order.
  {
    path: "/v1/accounts/:account_id/contacts",
    params: { account_id: toUuid("account", 1) },
    callers: ["seller"],
    queries: ["", "sort=last_activity_at", "sort=-last_activity_at"],
    filters: [],
  },
  {
    path: "/v1/accounts/:account_id/contacts",
    params: { account_id: toUuid("account", 58) },
    callers: sellers,
    queries: [],
    filters: [...listSorts("created_at", "updated_at", "last_name"), search, window, user],
  },
  {
    path: "/v1/cases",
    callers: sellers,
    queries: [
      ...["", "sort_mode=important", "sort_mode=recent", "status=open", "status=closed", "teams=7"],
      ...listSorts("created_at", "updated_at", "latest_activity_at", "estimated_close_date", "value").slice(
        1,
      ),
    ],
    filters: [
      search,
      `${search}&status=closed&sort_mode=recent`,
      window,
      user,
      `${user}&relations_paths=${toUuid("path", 0)}`,
      "show=mine",
      `show=mine&${search}`,
      "show=team",
      "created_from_lead=true",
      `lead_types=${toUuid("lead_type", 1)}`,
      "lead_sources=fair",
      `relations_paths=${toUuid("side_path", 0)}`,
      `milestone_ids=${toUuid("side_milestone", 0)}`,
      "milestone_types=offer",
      window.replace("start_at", "milestone_start_at").replace("end_at", "milestone_end_at"),
      `stock_vehicle_id=${toUuid("task", 0)}`,
      `account_ids=${toUuid("account", 58)}`,
      `contact_ids=${toUuid("contact", 58)}`,
    ],
  },
  // An account with twenty cases.
  {
    path: "/v1/accounts/:account_id/cases",
    params: { account_id: toUuid("account", 58) },
    callers: sellers,
    queries: [],
    filters: ["", "status=open", search, `contact_ids=${toUuid("contact", 58)}`],
  },
  {
    path: "/v1/reports/pipeline/:relations_path_id/:milestone_id",
    params: { relations_path_id: toUuid("side_path", 0), milestone_id: toUuid("side_milestone", 0) },
    callers: sellers,
    queries: [],
    filters: [""],
  },
  {
    path: "/v1/cases/:case_id/correspondences",
    params: { case_id: toUuid("case", 7) },
    callers: ["seller", "member"],
    queries: [""],
    filters: [],
  },
  {
    path: "/v1/cases/:case_id/activities",
    params: { case_id: toUuid("case", 7) },
    callers: ["seller", "member"],
    queries: ["", "sort=created_at"],
    filters: [],
  },
  {
    path: "/v1/cases/:case_id/timeline",
    params: { case_id: toUuid("case", 7) },
    callers: sellers,
    queries: [""],
    filters: [],
  },
  {
    path: "/v1/tasks",
    callers: sellers,
    queries: [
      ...listSorts("start_at", "end_at"),
      "status=pending,overdue&sort=end_at",
      ...["pending", "later", "overdue", "completed"].flatMap((status) => [
        `status=${status}`,
        `status=${status}&sort=-start_at`,
      ]),
    ],
    filters: [
      window,
      `${window}&status=overdue`,
      user,
      `${user}&status=pending`,
      `case_ids=${toUuid("case", 7)},${toUuid("case", 8)}`,
      "show=mine",
      "show=team",
      "show=team&status=overdue",
    ],
  },
  {
    path: "/v1/notes",
    callers: sellers,
    queries: listSorts("created_at"),
    filters: [
      search,
      `case_ids=${toUuid("case", 7)},${toUuid("case", 8)}`,
      `activity_ids=${toUuid("activity", 7)}`,
      `account_ids=${toUuid("account", 58)}`,
      `contact_ids=${toUuid("contact", 58)}`,
    ],
  },
  {
    path: "/v1/leads",
    callers: sellers,
    queries: [...listSorts("created_at", "updated_at", "external_weight", "escalates_at"), "status=assigned"],
    filters: [
      search,
      `${search}&status=assigned,called&sort=escalates_at`,
      "status=escalated,revoked",
      "status=revoked,called",
      "status=revoked,called&sort=escalates_at",
      "show=mine",
      "show=team&view=summary",
      window,
      user,
      `lead_types=${toUuid("lead_type", 1)}`,
      "lead_sources=fair",
      "groups=1",
      `${user}&lead_sources=web&status=assigned&sort=external_weight`,
    ],
  },
  // For a caller who also sees leads by their agency, the leads of a team are counted.
  { path: "/v1/leads", callers: ["seller"], queries: ["teams=7", "teams=7&sort=updated_at"], filters: [] },
  ...["assignable", "rejected", "escalated"].map((status) => ({
    path: `/v1/leads/${status}`,
    callers: sellers,
    queries: listSorts("created_at", "updated_at", "external_weight"),
    filters: status === "escalated" ? [dates, "team_id=51"] : [dates],
  })),
  {
    path: "/v1/leads/revoked",
    callers: sellers,
    queries: [],
    filters: listSorts("created_at", "updated_at", "external_weight"),
  },
  { path: "/v1/leads/called", callers: sellers, queries: [], filters: [""] },
  {
    path: "/v1/companies/:company_id/users",
    params: { company_id: 2 },
    callers: many,
    queries: listSorts("created_at"),
    filters: [search, "ids=2000001,2000002", "teams=7"],
  },
  {
    path: "/v1/teams",
    callers: many,
    queries: listSorts("created_at"),
    filters: [search, "groups=2000021"],
  },
  { path: "/v1/groups", callers: many, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/notifications", callers: sellers, queries: [""], filters: ["show=unread"] },
  {
    path: "/v1/webhooks/:webhook_id/deliveries",
    params: { webhook_id: 1 },
    callers: ["seller"],
    queries: ["", "status=delivered", "status=failed"],
    filters: ["status=pending"],
  },
  {
    path: "/v1/webhooks/deliveries",
    callers: ["seller"],
    queries: ["", "status=delivered", "status=failed"],
    filters: ["status=pending"],
  },
  { path: "/v1/roles", callers: many, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/products", callers: sellers, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/products/categories", callers: sellers, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/relations-paths", callers: many, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/lead-types", callers: many, queries: listSorts("created_at"), filters: [] },
  { path: "/v1/automated-communications", callers: many, queries: listSorts("created_at"), filters: [] },
  {
    path: "/v1/gamification/stream",
    callers: many,
    queries: listSorts("created_at"),
    filters: ["users=1000000002"],
  },
  { path: "/v1/gamification/ranks", callers: many, queries: listSorts("created_at"), filters: [] },
  {
    path: "/v1/reports/indicator-sets",
    callers: many,
    queries: listSorts("created_at"),
    filters: [`ids=${toUuid("set", 7)}`],
  },
  {
    path: "/v1/reports/scheduled",
    callers: many,
    queries: listSorts("created_at"),
    filters: [`indicator_set_id=${toUuid("set", 7)}`],
  },
  {
    path: "/v1/cases/:case_id/automated-communications",
    params: { case_id: toUuid("case", 7) },
    callers: sellers,
    queries: [""],
    filters: [],
  },
  { path: "/v1/campaigns", callers: many, queries: listSorts("created_at"), filters: [search] },
  {
    path: "/v1/campaigns/:campaign_id/messages",
    params: { campaign_id: toUuid("campaign", 0) },
    callers: sellers,
    queries: [""],
    filters: ["status=failed"],
  },
  { path: "/v1/templates", callers: many, queries: listSorts("created_at"), filters: [search] },
  {
    path: "/v1/files",
    callers: sellers,
    queries: [],
    filters: ["", `search=${makeWord(1)}`, search],
  },
  {
    path: "/v1/filemanager",
    callers: sellers,
    queries: [],
    filters: ["", "belongs_to=company", "belongs_to=user", "per_page=10"],
  },
  {
    path: "/v1/filemanager/folders/:folder_id",
    params: { folder_id: toUuid("folder", 51) },
    callers: sellers,
    queries: [],
    filters: [""],
  },
  // The folder with half of all files.
  {
    path: "/v1/filemanager/folders/:folder_id",
    params: { folder_id: toUuid("folder", 45) },
    callers: sellers,
    queries: [],
    filters: ["per_page=10", "per_page=10&page=3", ""],
  },
  ...attachedTo("/v1/accounts/:account_id/files", { account_id: toUuid("account", 58) }),
  ...attachedTo("/v1/accounts/:account_id/contacts/:contact_id/files", {
    account_id: toUuid("account", 6),
    contact_id: toUuid("contact", 58),
  }),
  ...attachedTo("/v1/cases/:case_id/files", { case_id: toUuid("case", 58) }),
  ...attachedTo("/v1/leads/:lead_id/files", { lead_id: toUuid("lead", 58) }),
  ...attachedTo("/v1/folders/:folder_id/files", { folder_id: toUuid("folder", 51) }),
  ...attachedTo("/v1/folders/:folder_id/files", { folder_id: "company:1" }),
];

const of = (field: string, operator: string, value: unknown): readonly Condition[] => [
  { field: `lead.${field}`, operator, value },
];
const first = toUuid("lead_type", 1);

export const filteredLists: readonly FilteredList[] = [{
  path: "/v1/leads/filter",
  caller: "seller",
  queries: ["", "sort=updated_at", "sort=external_weight"],
  filters: [
    of("lead_type_id", "eq", first),
    of("lead_type", "eq", "rare"),
    of("lead_source", "eq", "FAIR"),
    of("interest", "sw", makeWord(twenty)),
    of("team_id", "eq", 52),
    of("rejections.team_id", "eq", 7),
    of("account_id", "in", [toUuid("account", 801), toUuid("account", 802)]),
    of("expires_at", "lt", "2098-12-31 00:00:00"),
    of("deleted_at", "exists", true),
    [...of("created_at", "gte", madeAt(twenty * 20)), ...of("created_at", "lte", madeAt(twenty * 20 + 19))],
    [...of("status", "eq", "assigned"), ...of("interest", "eq", makeWord(twenty))],
  ],
}];

function attachedTo(path: string, params: Record<string, string>): List[] {
  return [{ path, params, callers: ["seller"], queries: [], filters: [""] }];
}

/** Returns the query strings for the default order and for both directions of each field. */
function listSorts(...fields: string[]): string[] {
  return ["", ...fields.flatMap((field) => [`sort=${field}`, `sort=-${field}`])];
}
