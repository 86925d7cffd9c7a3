/**
 * A right call of each operation. Parameters of the path are filled in from the records of the place by their
 * names. A sample gives everything else that the call takes, and creates the records that the call uses up.
 * An operation without a sample fails the sweeps.
 */
import { noteOpened } from "../../src/console/recent/note_opened.ts";
import { makeId, makeToken } from "../../src/core/ids.ts";
import { formatTimestamp } from "../../src/core/time.ts";
import { insert } from "../../src/db/statements.ts";
import { passwordResets } from "../../src/identity/users/table.ts";
import { sha256 } from "../../src/platform/crypto.ts";
import { ways } from "../sales/leads_states.ts";
import { makeFile, makeMultipart, makePng } from "../support/pictures.ts";
import {
  followUp,
  type Ids,
  indicatorSet,
  makeHook,
  makeRank,
  makeSchedule,
  makeWaiting,
  nameFields,
  openSession,
  pausedHook,
  pictureFile,
  type Place,
  startSending,
  textFile,
  waitingSend,
  writeStreamEvent,
} from "./place.ts";

export interface Call {
  /** Replace the place's records of the same names. */
  readonly params?: Partial<
    Record<
      | keyof Ids
      | "external_id"
      | "notification_id"
      | "session_id"
      | "device_token"
      | "belongs_to"
      | "template_type"
      | "merge_id"
      | "import_id"
      | "entity",
      string | number
    >
  >;
  readonly query?: string;
  readonly body?: unknown;
  /** The caller's token, if the caller is not the admin. */
  readonly token?: string;
}

export type Sample = (place: Place) => Call | Promise<Call>;

const get: Sample = () => ({});

/** Creates a notification of the admin, who is mentioned in a note. */
async function createNotification({ make, ids, world: { admin } }: Place): Promise<string> {
  await make("/v1/notes", { note: "See this", case_id: ids.case_id, notify: { users: [admin.id] } });
  return (await admin.call("GET", "/v1/notifications")).body.data[0].id;
}

/** Registers a device of the admin. Returns its token. */
async function device({ next, world: { admin } }: Place): Promise<string> {
  const token = `device:${next()}`;
  await admin.call("POST", `/v1/notifications/devices/${token}`);
  return token;
}

/** The calls about the files of a record, with one that the whole company may read. */
function filesOfRecord(name: string, pathOf: (ids: Ids) => string): Readonly<Record<string, Sample>> {
  const createShared = async ({ make, ids }: Place): Promise<string> =>
    (await make("/v1/files", textFile("shown.txt", [{ type: "company", value: ids.company_id }]))).id;
  const attachFile = async (place: Place): Promise<string> => {
    const file_id = await createShared(place);
    await place.world.admin.call("POST", `${pathOf(place.ids)}/files`, { file_ids: [file_id] });
    return file_id;
  };
  /** By record, the file that calls read. They use up nothing, so they share it. */
  const read = new WeakMap<Ids, Promise<string>>();
  const reading = async (place: Place): Promise<string> => {
    const file_id = read.get(place.ids) ?? attachFile(place);
    read.set(place.ids, file_id);
    return await file_id;
  };
  const readingIt: Sample = async (place) => ({ params: { file_id: await reading(place) } });
  return {
    [`list${name}Files`]: async (place) => {
      await reading(place);
      return {};
    },
    [`attach${name}Files`]: async (place) => ({ body: { file_ids: [await createShared(place)] } }),
    [`detach${name}Files`]: async (place) => ({ body: { file_ids: [await attachFile(place)] } }),
    [`get${name}File`]: readingIt,
    [`download${name}File`]: readingIt,
  };
}

const lead = (state: string, body?: (place: Place) => unknown): Sample => async (place) => ({
  params: { lead_id: await ways[state]!(place.world) },
  ...(body ? { body: body(place) } : {}),
});

const makeView = (team_id: number, n: number) => ({
  name: `View ${n}`,
  entity: "lead",
  query: { status: "assigned,called", teams: [team_id] },
  team_id,
});

/** Creates a view of the team. Returns its id. */
async function sharedView({ make, ids, next }: Place): Promise<string> {
  return (await make("/v1/views", makeView(ids.team_id, next()))).id;
}

const invite = ({ ids, next, make }: Place) =>
  make(`/v1/companies/${ids.company_id}/invitations`, { email: `invited-${next()}@example.org` });

/** Returns the token of a mail to a new user who forgot the password. */
async function resetToken({ app, company }: Place["world"]): Promise<string> {
  const token = makeToken();
  const user_id = (await company.user()).id;
  const now = app.clock.now();
  await app.deps.db.write([
    insert(passwordResets, {
      hash: sha256(token),
      user_id,
      expires_at: now + 3_600_000,
      created_at: formatTimestamp(now),
    }),
  ]);
  return token;
}

/** A choice field of the team with an option. */
async function choice({ ids, make, next }: Place): Promise<{ field: string; option: string }> {
  const { id } = await make("/v1/fields/account", {
    label: `Choice ${next()}`,
    type: "single_choice",
    team_id: ids.team_id,
  });
  return { field: id, option: (await make(`/v1/fields/account/${id}/options`, { value: "Yes" })).id };
}

const call = { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" };

/** Plans a task on the case of the place. */
async function task({ make, ids, milestone }: Place): Promise<string> {
  const body = { activity_type_ids: [milestone], task: call };
  return (await make(`/v1/cases/${ids.case_id}/activities`, body)).task.id;
}

/** Makes two accounts that may be one, of a team or of all. */
export async function twoAccounts(make: Place["make"], team_id?: number | null) {
  const createCustomer = async (name: string) =>
    (await make("/v1/accounts", { team_id, fixed_fields: nameFields({ name, city: `City of ${name}` }) })).id;
  return { into: await createCustomer("Works"), from_id: await createCustomer("Works Ltd") };
}

/** Merges two new accounts. Returns the id of the merge. */
export async function merge({ make, world: { admin } }: Place, team_id?: number | null): Promise<string> {
  const { into, from_id } = await twoAccounts(make, team_id);
  return (await admin.call("POST", `/v1/accounts/${into}/merge`, { from_id })).body.merge_id;
}

/** Imports a contact, or checks one, and waits for the end. Returns the id of the import. */
export async function importFor(
  { world: { app, admin }, next }: Place,
  dry_run = "false",
  token = admin.token,
): Promise<string> {
  const { body, text } = await app.call(token, "POST", "/v1/imports", await importForm(next(), dry_run));
  for (;;) {
    const found = (await app.call(token, "GET", `/v1/imports/${body.id}`)).body;
    if (found.status === "done" || found.status === "checked") return body.id;
    if (found.status === 404) throw new Error(text);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function importForm(number: unknown, dry_run = "false") {
  const firm = `Works ${number}`;
  const people = [["Byron", `b${number}@example.org`, firm], ["Wrong", `nonsense ${makeToken()}`, firm]];
  const rows = [["last_name", "email", "account.name"], ...people].map((cells) => cells.join(",")).join("\n");
  const fields = { entity: "contacts", format: "csv", dry_run };
  return makeMultipart({ ...fields, file: makeFile("people.csv", new TextEncoder().encode(rows)) });
}

const onImport: Sample = async (place) => ({ params: { import_id: await importFor(place) } });

const newcomers = (kind: string) => ({ field: `${kind}.created_at`, operator: "gt", value: "NOW-1w" });

const samplePath = (team_id: number | null = null) => ({
  name: "Old",
  team_id,
  activity_types: { milestones: [{ name: "Offer" }] },
});

/** Creates a saved filter of a member of the team. */
async function savedFilter({ ids, world }: Place, kind: string): Promise<string> {
  const member = await world.company.user({ teams: [ids.team_id] });
  const body = { name: "New", filter: [newcomers(kind)] };
  return (await member.call("POST", `/v1/${kind}s/filters`, body)).body.id;
}

/** Creates a case with an activity, a task and a note. */
async function newCase({ ids, make, milestone }: Place): Promise<string> {
  const { contact_id, relations_path_id, team_id, user_id } = ids;
  const { id } = await make("/v1/cases", { contact_id, relations_path_id, team_id, user_id });
  await make(`/v1/cases/${id}/activities`, {
    activity_type_ids: [milestone],
    task: { type: "call", start_at: "2026-03-20 09:00:00", end_at: "2026-03-20 10:00:00" },
  });
  await make("/v1/notes", { note: "Old", case_id: id });
  return id;
}

/** Lists records by a new filter without a team, which every user sees. */
const sharedFilter = (kind: string): Sample => async ({ make }) => {
  const { id } = await make(`/v1/${kind}s/filters`, { name: "New", filter: [newcomers(kind)] });
  return { query: `filter_id=${id}` };
};

/** A draft of a campaign of the team. */
export function makeDraft(team_id: number | null): object {
  const message = { subject: "Offers", content: "<p>Hello</p>", sender: "Ada" };
  return { type: "email", name: "Old", approved: false, message, filter: [], team_id };
}

export const samples: Readonly<Record<string, Sample>> = {
  createCompany: ({ next }) => ({
    body: {
      name: "Nordlicht",
      timezone: { name: "Europe/Berlin" },
      billing: { country: "DE", invoice_email: "bills@example.org" },
      user: {
        first_name: "Ada",
        last_name: "Byron",
        email: `founder-${next()}@example.org`,
        password: "correct horse battery",
      },
    },
  }),
  getCompany: get,
  updateCompany: ({ next }) => ({ body: { name: `Nordlicht ${next()}`, billing: { city: "Kiel" } } }),
  deleteCompany: async ({ company }) => {
    const { id, admin } = await company();
    return { params: { company_id: id }, token: admin.token };
  },
  setCompanyLogos: async () => ({
    body: await makeMultipart({
      logo_1: makeFile("wide.png", makePng(480, 140)),
      logo_2: makeFile("square.png", makePng(80, 80)),
    }),
  }),
  getSettings: get,
  updateSettings: ({ ids, next }) => ({
    body: { theme: next() % 2 ? "blue" : "red", default_account_id: ids.account_id },
  }),
  getSso: get,
  updateSso: async ({ world: { admin, company }, next }) => {
    // The call sets the whole list, so the list is emptied first and each call adds one provider.
    await admin.call("PUT", `/v1/companies/${company.id}/sso`, []);
    return {
      body: [{
        provider_name: `Okta ${next()}`,
        issuer: "https://acme.example.org/login",
        client_id: "crm",
        client_secret: "a secret of the provider",
      }],
    };
  },
  getMe: get,
  getCounts: get,
  listUsers: get,
  setProfilePicture: async ({ world, ids }) => ({
    params: { user_id: (await world.company.user({ teams: [ids.team_id] })).id },
    body: await makeMultipart({ profile_picture: makeFile("me.png", makePng(20, 30)) }),
  }),
  createUser: ({ ids, next }) => ({
    body: {
      first_name: "Grace",
      last_name: "Hopper",
      email: `user-${next()}@example.org`,
      password: "correct horse battery",
      team_ids: [ids.team_id],
    },
  }),
  getUser: get,
  updateUser: async ({ world, ids, next }) => ({
    params: { user_id: (await world.company.user()).id },
    body: { job_title: `Title ${next()}`, team_ids: [ids.team_id], role_ids: [ids.role_id] },
  }),
  deleteUser: async ({ world, ids }) => ({
    params: { user_id: (await world.company.user({ teams: [ids.team_id] })).id },
    query: `assign_to=${ids.user_id}`,
  }),
  changePassword: async ({ world: { app, company } }) => {
    const user = await company.user();
    await app.deps.db.write([{
      sql: "update users set password_hash = ? where id = ?",
      args: [await app.deps.passwords.hash("correct horse battery"), user.id],
    }]);
    return {
      params: { user_id: user.id },
      body: { old_password: "correct horse battery", new_password: "correct horse battery staple" },
      token: user.token,
    };
  },
  listTeamsOfUser: get,
  switchTeam: async ({ world, ids }) => ({
    token: (await world.company.user({ teams: [ids.team_id], active: null })).token,
    body: { team_id: ids.team_id },
  }),
  listInvitations: get,
  createInvitation: ({ ids, next }) => ({
    body: { email: `invited-${next()}@example.org`, team_ids: [ids.team_id] },
  }),
  withdrawInvitation: async (place) => ({ params: { invitation_id: (await invite(place)).id } }),
  resendInvitation: get,
  acceptInvitation: async (place) => {
    const { email, invite_token } = await invite(place);
    const body = { first_name: "Grace", last_name: "Hopper", email, password: "correct horse battery" };
    return { params: { user_id: invite_token }, body };
  },
  requestPasswordReset: () => ({ body: { email: "nobody@example.org" } }),
  resetPassword: async ({ world }) => ({
    params: { token: await resetToken(world) },
    body: { password: "correct horse battery" },
  }),
  listTeams: get,
  createTeam: ({ ids }) => ({ body: { name: "Bremen", country: "DE", group_id: ids.group_id } }),
  getTeam: get,
  deleteTeam: async ({ make, ids }) => ({
    params: { team_id: (await make("/v1/teams", { name: "Passing" })).id },
    query: `assign_to=${ids.team_id}`,
  }),
  getTeamDeleteImpact: get,
  updateTeam: ({ ids, next }) => ({ body: { city: `City ${next()}`, group_id: ids.group_id } }),
  listGroups: get,
  createGroup: () => ({ body: { name: "South" } }),
  getGroup: get,
  updateGroup: ({ next }) => ({ body: { name: `Group ${next()}` } }),
  deleteGroup: async ({ make }) => ({
    params: { group_id: (await make("/v1/groups", { name: "Passing" })).id },
  }),
  attachTeamToGroup: async ({ make, ids }) => ({
    params: { team_id: (await make("/v1/teams", { name: "Kiel" })).id, group_id: ids.group_id },
  }),
  detachTeamFromGroup: async ({ make, ids }) => ({
    params: { team_id: (await make("/v1/teams", { name: "Kiel", group_id: ids.group_id })).id },
  }),
  listRightsGroups: get,
  listRoles: get,
  createRole: ({ next }) => ({ body: { name: `Role ${next()}`, rights: ["agency"] } }),
  getRole: get,
  updateRole: ({ next }) => ({ body: { name: `Role ${next()}`, rights: ["agency"] } }),
  deleteRole: async ({ make, next }) => ({
    params: { role_id: (await make("/v1/roles", { name: `Role ${next()}` })).id },
  }),
  getRoleDeleteImpact: get,
  listApplications: get,
  createApplication: () => ({ body: { name: "Shop", redirect_uri: "https://shop.example.org/back" } }),
  getApplication: get,
  updateApplication: ({ next }) => ({ body: { name: `Website ${next()}` } }),
  deleteApplication: async ({ make }) => ({
    params: { application_client_id: (await make("/v1/applications", { name: "Old" })).client_id },
  }),
  rotateApplicationSecret: get,
  activateDevice: async ({ world, next }) => ({ body: { code: await world.company.deviceCode(next()) } }),
  listTokens: get,
  listSessions: async (place) => {
    await openSession(place, place.world.admin.id);
    return {};
  },
  endSession: async (place) => ({ params: { session_id: await openSession(place, place.world.admin.id) } }),
  endOtherSessions: async (place) => {
    await openSession(place, place.world.admin.id);
    return {};
  },
  deleteToken: async ({ world }) => ({ params: { token: await world.company.token(world.admin.id) } }),
  findContactDuplicates: async ({ make }) => {
    await make("/v1/accounts", { fixed_fields: [{ name: "name", value: "Known Works" }] });
    return { body: { email: "grace@example.org", phone_number: "+49 30 1234567", name: "known works" } };
  },
  findAccountDuplicates: async ({ make }) => {
    await make("/v1/accounts", { fixed_fields: [{ name: "name", value: "Known Works" }] });
    return { body: { name: "known works GmbH" } };
  },
  listLeadDuplicates: get,
  explainLead: get,
  listAccountFilterFields: get,
  listContactFilterFields: get,
  filterAccounts: () => ({
    body: { filter: [{ field: "account.created_at", operator: "gt", value: "NOW-1w" }] },
  }),
  filterContacts: () => ({
    body: { filter: [{ field: "b2b_contact.fixed_fields.last_name", operator: "exists", value: true }] },
  }),
  listAccountFilters: async (place) => {
    await savedFilter(place, "account");
    return {};
  },
  createAccountFilter: ({ next }) => ({ body: { name: `Filter ${next()}`, filter: [newcomers("account")] } }),
  getAccountFilter: async (place) => ({ params: { filter_id: await savedFilter(place, "account") } }),
  updateAccountFilter: async (place) => ({
    params: { filter_id: await savedFilter(place, "account") },
    body: { name: `Filter ${place.next()}`, filter: [newcomers("account")] },
  }),
  deleteAccountFilter: async (place) => ({ params: { filter_id: await savedFilter(place, "account") } }),
  listContactFilters: get,
  createContactFilter: ({ next }) => ({ body: { name: `Filter ${next()}`, filter: [newcomers("contact")] } }),
  getContactFilter: async (place) => ({ params: { filter_id: await savedFilter(place, "contact") } }),
  updateContactFilter: async (place) => ({
    params: { filter_id: await savedFilter(place, "contact") },
    body: { name: `Filter ${place.next()}`, filter: [newcomers("contact")] },
  }),
  deleteContactFilter: async (place) => ({ params: { filter_id: await savedFilter(place, "contact") } }),
  listAccounts: sharedFilter("account"),
  createAccount: ({ ids, next }) => ({
    body: {
      team_id: ids.team_id,
      user_id: ids.user_id,
      external_id: `erp-${next()}`,
      fixed_fields: nameFields({ name: "Ada Ltd", country: "DE" }),
    },
  }),
  getAccount: get,
  updateAccount: ({ ids, next }) => ({
    body: { user_id: ids.user_id, fixed_fields: nameFields({ city: `City ${next()}` }) },
  }),
  deleteAccount: async ({ make }) => ({
    params: { account_id: (await make("/v1/accounts", { fixed_fields: nameFields({ name: "Old" }) })).id },
  }),
  getAccountDeleteImpact: get,
  mergeAccounts: async ({ make }) => {
    const { into, from_id } = await twoAccounts(make);
    return { params: { account_id: into }, body: { from_id } };
  },
  mergeContacts: async ({ make, ids }) => {
    const person = { fixed_fields: nameFields({ last_name: "Byron" }) };
    const createPerson = async () => (await make(`/v1/accounts/${ids.account_id}/contacts`, person)).id;
    return { params: { contact_id: await createPerson() }, body: { from_id: await createPerson() } };
  },
  listMerges: async (place) => {
    await merge(place);
    return {};
  },
  getMerge: async (place) => ({ params: { merge_id: await merge(place) } }),
  undoMerge: async (place) => ({ params: { merge_id: await merge(place) } }),
  putAccount: ({ ids, next }) => ({
    params: { external_id: `erp%20${next()}` },
    body: { team_id: ids.team_id, user_id: ids.user_id, fixed_fields: nameFields({ name: "Ada Ltd" }) },
  }),
  listContacts: sharedFilter("contact"),
  getContact: get,
  listContactsOfAccount: get,
  createContact: ({ ids, next }) => ({
    body: {
      user_id: ids.user_id,
      external_id: `crm-${next()}`,
      fixed_fields: nameFields({ last_name: "Byron" }),
      consent: { email: { consent_given: true } },
    },
  }),
  getContactOfAccount: get,
  updateContact: ({ ids, next }) => ({
    body: {
      user_id: ids.user_id,
      account_id: ids.account_id,
      fixed_fields: nameFields({ title: `Title ${next()}` }),
    },
  }),
  deleteContact: async ({ ids, make }) => ({
    params: {
      contact_id: (await make(`/v1/accounts/${ids.account_id}/contacts`, {
        fixed_fields: nameFields({ last_name: "Old" }),
      })).id,
    },
  }),
  getContactDeleteImpact: get,
  putContact: ({ ids, next }) => ({
    params: { external_id: `crm%20${next()}` },
    body: { user_id: ids.user_id, fixed_fields: nameFields({ last_name: "Byron" }) },
  }),
  getFieldSort: get,
  putFieldSort: async ({ make, next }) => ({
    body: {
      sort: [{ type: "property", value: "city" }],
      team_id: (await make("/v1/teams", { name: `Sorting ${next()}` })).id,
    },
  }),
  listFields: get,
  createField: ({ ids, next }) => ({
    body: { label: `Field ${next()}`, type: "text", validation: "email", team_id: ids.team_id },
  }),
  getField: get,
  updateField: ({ next }) => ({ body: { label: `Fuel ${next()}`, type: "single_choice" } }),
  deleteField: async (place) => ({ params: { field_id: (await choice(place)).field } }),
  putFieldLinks: async (place) => {
    const [limited, other] = [await choice(place), await choice(place)];
    return {
      params: { field_id: limited.field },
      body: {
        links: [{
          field_id: other.field,
          option_id: other.option,
          options_shown: [limited.option],
          default_option: limited.option,
        }],
      },
    };
  },
  createFieldOption: async (place) => ({
    params: { field_id: (await choice(place)).field },
    body: { value: "Petrol", sort: 2 },
  }),
  updateFieldOption: ({ next }) => ({ body: { value: `Diesel ${next()}` } }),
  deleteFieldOption: async (place) => {
    const { field, option } = await choice(place);
    return { params: { field_id: field, option_id: option } };
  },
  listProductCategories: get,
  createProductCategory: () => ({ body: { name: "Cars" } }),
  getProductCategory: get,
  updateProductCategory: ({ next }) => ({ body: { name: `Vans ${next()}` } }),
  deleteProductCategory: async ({ make }) => {
    const { id } = await make("/v1/products/categories", { name: "Old" });
    await make("/v1/products", { category: { id: [id] }, fixed_fields: nameFields({ name: "Van" }) });
    return { params: { category_id: id } };
  },
  listProducts: get,
  createProduct: ({ ids }) => ({
    body: {
      category: { id: [ids.category_id] },
      fixed_fields: nameFields({
        name: "Car",
        list_price: 19_900,
        purchase_price: 17_000,
        type: "product",
        vat: 19,
      }),
      related_product_ids: [ids.product_id],
    },
  }),
  getProduct: get,
  updateProduct: async ({ make, ids, next }) => ({
    params: { product_id: (await make("/v1/products", { fixed_fields: nameFields({ name: "Car" }) })).id },
    body: {
      category: { id: [ids.category_id] },
      fixed_fields: nameFields({ name: `Car ${next()}` }),
      related_product_ids: [ids.product_id],
    },
  }),
  deleteProduct: async ({ make }) => {
    const related = await make("/v1/products", { fixed_fields: nameFields({ name: "Tyres" }) });
    const more = { related_product_ids: [related.id] };
    return {
      params: {
        product_id: (await make("/v1/products", { fixed_fields: nameFields({ name: "Car" }), ...more })).id,
      },
    };
  },
  listRelationsPaths: get,
  createRelationsPath: ({ ids }) => ({
    body: {
      name: "Vans",
      team_id: ids.team_id,
      activity_types: { milestones: [{ name: "Offer" }, { name: "Sold", set_status: "closed" }] },
    },
  }),
  getRelationsPath: get,
  updateRelationsPath: async ({ ids, make, next }) => {
    const made = await make("/v1/relations-paths", {
      name: "Vans",
      activity_types: {
        milestones: [{ name: "Offer", extra_step: { name: "Signed" } }, { name: "Sold" }],
        supportive: [{ name: "Call" }],
      },
    });
    const [offer] = made.activity_types.milestones;
    return {
      params: { relations_path_id: made.id },
      body: {
        name: `Vans ${next()}`,
        team_id: ids.team_id,
        activity_types: {
          milestones: [{ id: offer.id, extra_step: { id: offer.extra_step.id, name: "Sent" } }, {
            name: "Won",
          }],
          supportive: [],
        },
      },
    };
  },
  getRelationsPathDeleteImpact: get,
  deleteRelationsPath: async ({ make }) => ({
    params: { relations_path_id: (await make("/v1/relations-paths", samplePath())).id },
  }),
  listLeadTypes: get,
  createLeadType: ({ ids }) => ({
    body: {
      name: "Test drive",
      team_id: ids.team_id,
      relations_path_ids: [ids.relations_path_id],
      escalation_accept: 60,
      escalation_user_ids: [ids.user_id],
      team_settings: [{
        team_id: ids.team_id,
        relations_path_id: ids.relations_path_id,
        user_id: ids.user_id,
      }],
    },
  }),
  getLeadType: get,
  updateLeadType: async ({ ids, make, next }) => ({
    params: {
      lead_type_id:
        (await make("/v1/lead-types", { name: "Drive", relations_path_ids: [ids.relations_path_id] }))
          .id,
    },
    body: {
      name: `Drive ${next()}`,
      team_id: ids.team_id,
      relations_path_ids: [ids.relations_path_id],
      escalation_user_ids: [ids.user_id],
      team_settings: [{ team_id: ids.team_id, user_id: ids.user_id }],
    },
  }),
  getLeadTypeDeleteImpact: get,
  deleteLeadType: async ({ ids, make }) => ({
    params: {
      lead_type_id:
        (await make("/v1/lead-types", { name: "Old", relations_path_ids: [ids.relations_path_id] })).id,
    },
  }),
  listLeads: get,
  listLeadSources: get,
  createLead: ({ ids, world }) => ({
    body: {
      ...world.body(),
      lead_type_id: ids.lead_type_id,
      team_id: ids.team_id,
      agency_team_id: ids.team_id,
      product_ids: [ids.product_id],
    },
  }),
  getLead: get,
  updateLead: lead("assigned", ({ next, ids }) => ({
    interest: `Van ${next()}`,
    lead_type_id: ids.lead_type_id,
    agency_team_id: ids.team_id,
    product_ids: [ids.product_id],
  })),
  deleteLead: lead("accepted"),
  filterLeads: () => ({ body: { filter: [newcomers("lead")] } }),
  filterLeadsByFilter: () => ({ body: { filter: [newcomers("lead")] } }),
  acceptLead: lead("assigned", ({ world }) => ({ user_id: world.member.id, relations_path_id: world.path })),
  rejectLead: lead("assigned", () => ({ rejection_reason: "Too far" })),
  assignLead: lead("assignable", ({ ids }) => ({ team_id: ids.team_id, user_id: ids.user_id })),
  assignLeadToTeam: lead("assignable", ({ ids }) => ({ user_id: ids.user_id })),
  callLead: lead("escalated"),
  listAssignableLeads: get,
  listRejectedLeads: get,
  listEscalatedLeads: get,
  listCalledLeads: async ({ world }) => {
    await ways.called!(world);
    return {};
  },
  listRevokedLeads: get,
  listAssignableTeams: get,
  listDealers: get,
  getDealer: get,
  listCases: get,
  getBoard: ({ ids }) => ({ query: `relations_path_id=${ids.relations_path_id}` }),
  createCase: ({ ids }) => ({
    body: {
      contact_id: ids.contact_id,
      relations_path_id: ids.relations_path_id,
      team_id: ids.team_id,
      user_id: ids.user_id,
    },
  }),
  getCase: get,
  listCasesOfAccount: get,
  updateCase: ({ ids, next }) => ({
    body: {
      user_id: ids.user_id,
      team_id: ids.team_id,
      contact_id: ids.contact_id,
      notify_user: next() % 2 === 0,
      stock_vehicle_id: makeId(),
    },
  }),
  declineCase: async (place) => ({
    params: { case_id: await newCase(place) },
    body: { reason: "Bought elsewhere" },
  }),
  // No milestone of the place gives such a chance: each call changes it.
  setChanceOfSuccess: ({ next }) => ({ body: { chance_of_success: 61 + next() % 39 } }),
  setEstimatedCloseDate: ({ next }) => ({ body: { date: `2026-06-${10 + next() % 20}` } }),
  deleteCase: async (place) => ({ params: { case_id: await newCase(place) } }),
  listActivities: get,
  // A new case each time, because the effect of an activity on its case counts only once.
  createActivity: async ({ milestone, ids, make }) => ({
    params: {
      case_id: (await make("/v1/cases", {
        contact_id: ids.contact_id,
        relations_path_id: ids.relations_path_id,
        team_id: ids.team_id,
        user_id: ids.user_id,
      })).id,
    },
    body: {
      activity_type_ids: [milestone],
      communication_channel: "phone",
      note: "Called",
      product_details: [{ products: [{ id: ids.product_id }] }],
      task: { ...call, user_id: ids.user_id },
    },
  }),
  getActivity: get,
  listCorrespondences: get,
  getCorrespondence: get,
  getLetter: ({ ids }) => ({ params: { correspondence_id: ids.letter_id } }),
  notifyOfCorrespondence: ({ ids }) => ({ body: { notify: { users: [ids.user_id], teams: [ids.team_id] } } }),
  listTasks: get,
  createTask: ({ ids }) => ({ body: { ...call, user_id: ids.user_id, note: "Ask about the <b>offer</b>" } }),
  getTask: get,
  updateTask: async (place) => ({
    params: { task_id: await task(place) },
    body: { note: `Ask again ${place.next()}`, user_id: place.ids.user_id, completed: true },
  }),
  deleteTask: async (place) => ({ params: { task_id: await task(place) } }),
  listTimeline: get,
  createTimelineEvent: async ({ world, ids }) => ({
    token: (await world.company.user({ teams: [ids.team_id] })).token,
    body: { type: "visit", title: "Looked at the van", content: "<b>Twice</b>" },
  }),
  listNotes: get,
  createImport: async ({ next }) => ({ body: await importForm(next()) }),
  listImports: async (place) => {
    await importFor(place);
    return {};
  },
  getImport: onImport,
  listImportErrors: onImport,
  downloadImportErrors: onImport,
  listImportKept: async (place) => {
    const import_id = await importFor(place);
    const { admin } = place.world;
    const [, { samples: [email] }] = (await admin.call("GET", `/v1/imports/${import_id}`)).body.columns;
    const [contact] = (await admin.call("GET", `/v1/contacts?search=${email}`)).body.data;
    await admin.call("PUT", `/v1/accounts/${contact.account.id}/contacts/${contact.id}`, {
      fixed_fields: nameFields({ title: "Countess" }),
    });
    await admin.call("POST", `/v1/imports/${import_id}/revert`);
    const isDone = async () =>
      (await admin.call("GET", `/v1/imports/${import_id}`)).body.status === "reverted";
    while (!await isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
    return { params: { import_id } };
  },
  startImport: async (place) => ({ params: { import_id: await importFor(place, "true") } }),
  cancelImport: async (place) => ({ params: { import_id: await importFor(place, "true") } }),
  revertImport: onImport,
  listImportFields: () => ({ params: { entity: "contacts" } }),
  listEvents: get,
  streamEvents: get,
  batch: ({ ids }) => ({
    body: { requests: [{ method: "GET", path: `/v1/accounts/${ids.account_id}` }] },
  }),
  createNote: ({ ids }) => ({
    body: {
      note: "Wants to see it on <b>Friday</b>",
      case_id: ids.case_id,
      activity_id: ids.activity_id,
      contact_id: ids.contact_id,
      account_id: ids.account_id,
      notify: { users: [ids.user_id], teams: [ids.team_id] },
    },
  }),
  getNote: get,
  updateNote: ({ ids, next }) => ({
    body: { note: `Wants it on Monday ${next()}`, notify: { users: [ids.user_id], teams: [ids.team_id] } },
  }),
  deleteNote: async ({ make, ids }) => ({
    params: { note_id: (await make("/v1/notes", { note: "Old", case_id: ids.case_id })).id },
  }),
  getCampaignSettings: get,
  updateCampaignSettings: ({ ids, next }) => ({
    body: { domain_slug: `sweep-${ids.company_id}-${next()}`, consent: { enable: true } },
  }),
  listCampaigns: get,
  createCampaign: ({ ids, next }) => ({
    body: {
      type: "email",
      name: `Spring ${next()}`,
      approved: false,
      message: { subject: "Offers", content: "<p>Dear {{contact.first_name}},</p>", sender: "Ada" },
      filter: [{ field: "contact.status", operator: "eq", value: "customer" }],
      template_id: ids.template_id,
      send_at: "2026-05-01 09:00:00",
      task: {
        distribution_strategy: "distribute",
        distribute_users: [ids.user_id],
        relations_path: ids.relations_path_id,
        start_at: "2026-05-02 09:00:00",
        end_at: "2026-05-02 17:00:00",
      },
      team_id: ids.team_id,
    },
  }),
  listRefusals: () => ({ query: "search=refused@example.org" }),
  liftRefusals: () => ({ query: "search=ada@example.org" }),
  getCampaign: get,
  updateCampaign: ({ next }) => ({ body: { name: `Spring ${next()}`, approved: false } }),
  deleteCampaign: async ({ make, ids }) => ({
    params: { campaign_id: (await make("/v1/campaigns", makeDraft(ids.team_id))).id },
  }),
  copyCampaign: get,
  testNewCampaign: ({ ids }) => ({
    body: {
      type: "email",
      message: { subject: "Offers", content: "<p>Dear {{contact.full_name}},</p>", sender: "Ada" },
      filter: [{ field: "b2b_contact.fixed_fields.first_name", operator: "sw", value: "A" }],
      team_id: ids.team_id,
    },
  }),
  testCampaign: () => ({ body: { email: "ada@example.org" } }),
  countCampaignRecipients: get,
  stopCampaign: async ({ make, write, ids }) => {
    const { id } = await make("/v1/campaigns", makeDraft(ids.team_id));
    await startSending(write, id);
    return { params: { campaign_id: id } };
  },
  getCampaignLetters: async ({ make, ids }) => {
    const body = {
      ...makeDraft(ids.team_id),
      type: "letter",
      approved: true,
      send_at: "2026-05-01 09:00:00",
    };
    return { params: { campaign_id: (await make("/v1/campaigns", body)).id } };
  },
  listAutomatedCommunications: get,
  createAutomatedCommunication: ({ ids }) => ({ body: followUp(ids.team_id, ids.template_id) }),
  getAutomatedCommunication: get,
  updateAutomatedCommunication: ({ next }) => ({ body: { name: `Follow-up ${next()}` } }),
  deleteAutomatedCommunication: async ({ make, ids }) => ({
    params: {
      automated_communication_id: (await make("/v1/automated-communications", followUp(ids.team_id))).id,
    },
  }),
  listCaseAutomatedCommunications: get,
  cancelCaseAutomatedCommunication: async ({ write, ids }) => ({
    params: { automated_id: await waitingSend(write, ids.case_id) },
  }),
  listCampaignMessages: get,
  getCampaignMessage: get,
  listTemplates: get,
  createTemplate: ({ ids, next }) => ({
    body: {
      type: "letter",
      title: `Offer ${next()}`,
      content: "<p>Dear {{contact.first_name}},</p>{{content}}",
      team_id: ids.team_id,
      margin_top: 30,
    },
  }),
  listPlaceholders: get,
  previewTemplate: ({ ids }) => ({
    params: { template_type: "email" },
    body: {
      content: "<p>{{product_details.name}}</p>",
      template_id: ids.template_id,
      contact_id: ids.contact_id,
      account_id: ids.account_id,
      product_ids: [ids.product_id],
      products: [{ name: "Van", quantity: 1, price: 29_900 }],
      task: { start_at: "2026-03-20 09:00:00" },
    },
  }),
  getTemplate: get,
  updateTemplate: ({ next }) => ({ body: { title: `Answer ${next()}` } }),
  getTemplateDeleteImpact: get,
  deleteTemplate: async ({ make, ids }) => ({
    params: {
      template_id:
        (await make("/v1/templates", { type: "email", title: "Old", content: "x", team_id: ids.team_id })).id,
    },
  }),
  listFiles: get,
  createFile: ({ ids, next }) => ({
    body: {
      name: `hello ${next()}.txt`,
      data: "SGVsbG8sIHdvcmxkIQo=",
      permissions: [{ type: "team", value: ids.team_id }, { type: "company", value: ids.company_id }],
      public: false,
    },
  }),
  getFileUsage: get,
  getFile: get,
  updateFile: ({ ids, next }) => ({
    body: { name: `offer ${next()}.txt`, permissions: [{ type: "team", value: ids.team_id }], public: false },
  }),
  replaceFile: ({ next }) => ({ body: { data: btoa(`Offer ${next()}`) } }),
  downloadFile: get,
  deleteFile: async ({ make }) => ({
    params: { file_id: (await make("/v1/files", textFile("old.txt"))).id },
  }),
  ...filesOfRecord("Account", ({ account_id }) => `/v1/accounts/${account_id}`),
  ...filesOfRecord(
    "Contact",
    ({ account_id, contact_id }) => `/v1/accounts/${account_id}/contacts/${contact_id}`,
  ),
  ...filesOfRecord("Case", ({ case_id }) => `/v1/cases/${case_id}`),
  ...filesOfRecord("Lead", ({ lead_id }) => `/v1/leads/${lead_id}`),
  ...filesOfRecord("Folder", ({ folder_id }) => `/v1/folders/${folder_id}`),
  listFileManager: get,
  createFolder: ({ next }) => ({
    body: { name: `Folder ${next()}`, belongs_to: "company", folder_id: null },
  }),
  getFolder: get,
  updateFolder: ({ next }) => ({
    body: { name: `Folder ${next()}`, belongs_to: "company", folder_id: null },
  }),
  deleteFolder: async ({ make }) => ({
    params: {
      folder_id: (await make("/v1/filemanager/folders", { name: "Old", belongs_to: "company" }, 200)).id,
    },
  }),
  uploadCompanyFile: makeUpload,
  uploadGroupFile: async (place) => ({ ...await makeUpload(place), query: `group_id=${place.ids.group_id}` }),
  uploadTeamFile: async (place) => ({ ...await makeUpload(place), query: `team_id=${place.ids.team_id}` }),
  uploadUserFile: makeUpload,
  uploadFileToFolder: async ({ next }) => ({
    params: { belongs_to: "company" },
    body: await textForm(`folder ${next()}.txt`),
  }),
  downloadManagedFile: async (place) => ({ params: { file_id: await managedFile(place) } }),
  updateManagedFile: async (place) => ({
    params: { file_id: await managedFile(place) },
    body: { name: `moved ${place.next()}.txt`, belongs_to: "company", folder_id: place.ids.folder_id },
  }),
  deleteManagedFile: async (place) => ({ params: { file_id: await managedFile(place) } }),
  deleteManagedFiles: async (place) => ({
    body: { files: [await managedFile(place), await managedFile(place)] },
  }),
  publishPicture: async ({ make }) => ({
    body: { file_id: (await make("/v1/files", pictureFile("logo.png"))).id },
  }),
  withdrawPicture: async ({ make }) => {
    const file_id = (await make("/v1/files", pictureFile("old.png"))).id;
    await make("/v1/filemanager/pictures", { file_id });
    return { params: { file_id } };
  },
  listNotifications: async (place) => {
    await createNotification(place);
    return {};
  },
  sendNotification: ({ ids }) => ({
    body: { message: "The showroom opens at ten", notify: { users: [ids.user_id], teams: [ids.team_id] } },
  }),
  readNotification: async (place) => ({ params: { notification_id: await createNotification(place) } }),
  reopenNotification: async (place) => {
    const notification_id = await createNotification(place);
    await place.world.admin.call("PUT", `/v1/notifications/${notification_id}/read`);
    return { params: { notification_id } };
  },
  readAllNotifications: async (place) => {
    await createNotification(place);
    return {};
  },
  getNotificationPreferences: get,
  updateNotificationPreferences: async ({ world: { company }, next }) => ({
    token: (await company.user()).token,
    body: { types: { note: { mail: next() % 2 === 0, push: false }, custom: {} } },
  }),
  registerDevice: ({ next }) => ({ params: { device_token: `device:${next()}` }, body: { type: "Android" } }),
  removeDevice: async (place) => ({ params: { device_token: await device(place) } }),
  searchAll: () => ({ query: "q=ada" }),
  getPreferences: get,
  changePreferences: async ({ next, world: { admin } }) => {
    // The first change of a user makes a row, later ones change it.
    await admin.call("PUT", "/v1/me/preferences", { theme: "light" });
    return { body: { theme: "dark", columns: { leads: [`column ${next()}`] } } };
  },
  listRecent: async ({ world, ids, write }) => {
    await write(noteOpened(world.admin.id, { type: "account", id: ids.account_id }, world.app.clock.now()));
    return {};
  },
  listViews: async (place) => {
    await sharedView(place);
    return { query: "entity=lead" };
  },
  createView: ({ ids, next }) => ({ body: makeView(ids.team_id, next()) }),
  getView: async (place) => ({ params: { view_id: await sharedView(place) } }),
  changeView: async (place) => ({
    params: { view_id: await sharedView(place) },
    body: { name: `View ${place.next()}`, query: { show: "mine" } },
  }),
  deleteView: async (place) => ({ params: { view_id: await sharedView(place) } }),
  listIndicators: get,
  listIndicatorSets: ({ ids }) => ({ query: `ids=${ids.indicator_set_id}` }),
  createIndicatorSet: ({ ids }) => ({ body: indicatorSet(ids.team_id) }),
  getIndicatorSet: get,
  updateIndicatorSet: ({ next }) => ({ body: { name: `Set ${next()}` } }),
  getIndicatorSetDeleteImpact: get,
  deleteIndicatorSet: async ({ make, ids }) => ({
    params: {
      indicator_set_id: (await make("/v1/reports/indicator-sets", indicatorSet(ids.team_id), 200)).id,
    },
  }),
  listScheduledReports: ({ ids }) => ({ query: `indicator_set_id=${ids.indicator_set_id}` }),
  createScheduledReport: ({ ids }) => ({ body: makeSchedule(ids.indicator_set_id, ids.user_id) }),
  getScheduledReport: get,
  updateScheduledReport: ({ ids, next }) => ({
    body: {
      name: `Report ${next()}`,
      recipient_user_ids: [ids.user_id],
      filters: { team_ids: [ids.team_id] },
    },
  }),
  deleteScheduledReport: async ({ make, ids }) => ({
    params: {
      scheduled_report_id:
        (await make("/v1/reports/scheduled", makeSchedule(ids.indicator_set_id, ids.user_id), 200)).id,
    },
  }),
  sendScheduledReport: get,
  getReportDelivery: get,
  getPipeline: get,
  getMilestonePipeline: () => ({ query: "start_date=2026-01-01&end_date=2026-12-31" }),
  listMilestoneCases: get,
  getPerformance: ({ ids }) => ({ query: `users=${ids.user_id}&teams=${ids.team_id}` }),
  notifyPerformance: ({ ids }) => ({ body: { notify: { users: [ids.user_id] }, message: "Look at this." } }),
  exportPerformance: get,
  getMetrics: () => ({
    query:
      "indicators=cases.open,cases.created,leads.acceptance_rate,users.total&group_by=team,user&compare=previous",
  }),
  exportReport: () => ({ query: "indicators=cases.open,leads.accepted&group_by=team&format=xlsx" }),
  createReportExport: () => ({
    body: { indicators: ["cases.created"], group_by: ["user"], compare: "previous" },
  }),
  getReportExport: get,
  explainAccess: ({ ids, world: { admin } }) => ({
    query: `user_id=${admin.id}&entity=accounts&id=${ids.account_id}`,
  }),
  createExport: () => ({ body: { entity: "contacts", format: "ndjson", columns: ["last_name", "id"] } }),
  listExports: get,
  getExport: async ({ make }) => ({
    params: { export_id: (await make("/v1/exports", { entity: "products" })).id },
  }),
  getTimeSeries: () => ({ query: "indicators=cases.open,activities.created&group_by=product&interval=week" }),
  getMetricsChart: () => ({ query: "indicators=cases.open,cases.created&group_by=team&compare=previous" }),
  getTimeSeriesChart: () => ({ query: "indicators=cases.open,cases.open.value&group_by=user&interval=week" }),
  createChart: () => ({ body: { kind: "time-series", indicators: ["cases.created"], interval: "day" } }),
  getAverages: () => ({ query: "indicators=cases.created,leads.time_to_accept,users.active" }),
  listBadges: get,
  getLevel: get,
  listStream: get,
  giveHighFive: async ({ write, ids: { company_id, user_id }, next }) => ({
    params: { event_id: await writeStreamEvent(write, { company_id, user_id }, 100 + Number(next())) },
  }),
  listHighFives: async ({ ids, world: { admin } }) => {
    await admin.call("PUT", `/v1/gamification/stream/${ids.event_id}/high-five`);
    return {};
  },
  listRanks: get,
  createRank: ({ ids }) => ({ body: makeRank(ids.team_id) }),
  getRank: get,
  updateRank: ({ next }) => ({ body: { name: `Rank ${next()}` } }),
  deleteRank: async ({ make, ids }) => ({
    params: { rank_id: (await make("/v1/gamification/ranks", makeRank(ids.team_id))).id },
  }),
  getRankScores: get,
  listWebhookEvents: get,
  listWebhooks: get,
  createWebhook: ({ next }) => ({ body: makeHook(next()) }),
  getWebhook: get,
  deleteWebhook: async ({ make, next }) => ({
    params: { webhook_id: (await make("/v1/webhooks", makeHook(next()))).id },
  }),
  updateWebhook: async ({ make, next }) => ({
    params: { webhook_id: (await make("/v1/webhooks", makeHook(next()))).id },
    body: { verification_token: "louder", scope: "global" },
  }),
  listAllDeliveries: get,
  listDeliveries: async ({ next, world: { admin } }) => {
    const webhook_id = await pausedHook(admin, makeHook(next()));
    await admin.call("POST", `/v1/webhooks/${webhook_id}/test`);
    return { params: { webhook_id } };
  },
  getDelivery: get,
  redeliver: async ({ next, world: { admin } }) => ({
    params: { delivery_id: (await makeWaiting(admin, makeHook(next()))).id },
  }),
  recover: () => ({ body: { since: "2026-01-31 10:00:00" } }),
  testWebhook: async ({ next, world: { admin } }) => ({
    params: { webhook_id: await pausedHook(admin, makeHook(next())) },
  }),
  restoreWebhook: async (place) => ({ params: { webhook_id: await goneHook(place, place.world.admin) } }),
};

/** Creates a subscription whose target was gone a moment ago. */
export async function goneHook(
  { next, world: { app } }: Place,
  by: { call(method: string, path: string, body?: unknown): Promise<{ body: { id: number } }> },
): Promise<number> {
  const { body: { id } } = await by.call("POST", "/v1/webhooks", makeHook(next()));
  const sql = "update webhooks set deleted_at = ?, target_gone = 1, version = version + 1 where id = ?";
  await app.deps.db.write([{ sql, args: [formatTimestamp(app.clock.now()), id] }]);
  return id;
}

/** A form with a small file. */
async function makeUpload({ next }: Place) {
  return { body: await textForm(`root ${next()}.txt`) };
}

function textForm(name: string) {
  return makeMultipart({ file: makeFile(name, new TextEncoder().encode("Hello!")) });
}

/** A new file at the root of the company. */
async function managedFile({ make }: Place): Promise<string> {
  return (await make("/v1/filemanager/files/company", await textForm("old.txt"))).id;
}
