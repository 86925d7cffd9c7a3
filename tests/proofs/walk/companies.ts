/**
 * Named records of a company, such as teams and roles. Each kind has one address to create, rename and delete
 * it.
 */
import assert from "node:assert/strict";
import type { Actor, Body } from "../../support/app.ts";
import {
  deleteAt,
  type Id,
  type Kind,
  nameFields,
  postRecord,
  put,
  type Seed,
  withDirections,
  type World,
} from "./world.ts";

interface Simple {
  readonly name: string;
  readonly path: string;
  /** The address, where it is not the declared path. */
  readonly at?: (world: World) => string;
  readonly query?: string;
  readonly body: (name: string, world: World) => object;
  /** Creates a record; by default with a POST to the address of the list. */
  readonly make?: (world: World, seed: Seed) => Promise<Id>;
  /** Set if the record cannot be changed or deleted. */
  readonly fixed?: readonly ("change" | "remove")[];
  /** True for a list with a single order. */
  readonly unsorted?: boolean;
  readonly admins?: boolean;
  readonly id?: (record: Body) => Id;
}

const simple: readonly Simple[] = [
  {
    name: "users",
    path: "/v1/companies/:company_id/users",
    at: ({ company }) => `/v1/companies/${company.id}/users`,
    body: (first_name) => ({ first_name }),
    // Hashing a password for each would be slow.
    make: async ({ company }) => (await company.user()).id,
  },
  { name: "teams", path: "/v1/teams", body: (name) => ({ name }) },
  { name: "teams that are searched for", path: "/v1/teams", query: "search=ada", body: (name) => ({ name }) },
  { name: "groups", path: "/v1/groups", body: (name) => ({ name }) },
  { name: "roles", path: "/v1/roles", body: (name) => ({ name, rights: [] }) },
  { name: "product categories", path: "/v1/products/categories", body: (name) => ({ name }) },
  { name: "products", path: "/v1/products", body: (name) => ({ fixed_fields: nameFields({ name }) }) },
  {
    name: "lead types",
    path: "/v1/lead-types",
    body: (name, { path }) => ({ name, relations_path_ids: [path.id] }),
    fixed: ["change", "remove"],
  },
  {
    name: "relations paths",
    path: "/v1/relations-paths",
    body: (name) => ({ name, activity_types: { milestones: [{ name }], supportive: [] } }),
    fixed: ["change", "remove"],
  },
  {
    name: "templates",
    path: "/v1/templates",
    body: (title) => ({ type: "email", title, content: "x", team_id: null }),
  },
  {
    name: "automated communications",
    path: "/v1/automated-communications",
    body: (name) => ({ name, communications: [], team_id: null }),
  },
  {
    name: "ranks",
    path: "/v1/gamification/ranks",
    body: (name) => ({ name, icon: "star", rule: "emails_sent" }),
  },
  {
    name: "indicator sets",
    path: "/v1/reports/indicator-sets",
    body: indicatorSet,
    make: async ({ admin }, { name }) => {
      const made = await admin.call("POST", "/v1/reports/indicator-sets", indicatorSet(unique(name)));
      assert.equal(made.status, 200, made.text);
      return made.body.id;
    },
  },
  {
    name: "scheduled reports",
    path: "/v1/reports/scheduled",
    body: indicatorSet,
    make: async ({ admin, member }, { name }) => {
      const set = await admin.call("POST", "/v1/reports/indicator-sets", indicatorSet(unique(name)));
      const made = await admin.call("POST", "/v1/reports/scheduled", {
        name: unique(name),
        indicator_set_id: set.body.id,
        delivery_frequency: "month",
        recipient_user_ids: [member.id],
      });
      assert.equal(made.status, 200, made.text);
      return made.body.id;
    },
  },
  {
    name: "campaigns",
    path: "/v1/campaigns",
    body: campaign,
    make: async (world, { name }) => {
      const { admin, company } = world;
      await put(admin, "/v1/campaigns/settings", { domain_slug: `walk-${company.id}` });
      return await postRecord(admin, "/v1/campaigns", campaign(unique(name)));
    },
  },
  {
    name: "saved filters of accounts",
    path: "/v1/accounts/filters",
    body: (name) => ({ name, filter: [] }),
    unsorted: true,
  },
  {
    name: "saved filters of contacts",
    path: "/v1/contacts/filters",
    body: (name) => ({ name, filter: [] }),
    unsorted: true,
  },
  {
    name: "applications",
    path: "/v1/applications",
    body: (name) => ({ name }),
    make: async (world, { name }) => {
      const token = await trustedToken(world);
      return (await world.app.call(token, "POST", "/v1/applications", { name: unique(name) })).body.client_id;
    },
    fixed: ["change", "remove"],
    admins: true,
    id: (record) => record.client_id,
  },
  {
    name: "invitations",
    path: "/v1/companies/:company_id/invitations",
    at: ({ company }) => `/v1/companies/${company.id}/invitations`,
    body: (name) => ({ email: `${name.replaceAll(" ", "-")}@example.org` }),
    make: async ({ app, company, admin }, { name }) => {
      const path = `/v1/companies/${company.id}/invitations`;
      await postRecord(admin, path, { email: `${unique(name).replaceAll(" ", "-")}@example.org` });
      const [made] = await app.sql("select max(id) as id from invitations");
      return Number(made!.id);
    },
    fixed: ["change"],
    admins: true,
  },
];

function indicatorSet(name: string): object {
  return { name, indicators: ["cases.closed"], scope: "company" };
}

function campaign(name: string): object {
  const message = { subject: "x", content: "x", sender: "x" };
  return { type: "email", name, approved: false, message, filter: [], team_id: null };
}

const tokens = new WeakMap<World, Promise<string>>();
/**
 * Returns a token of a trusted client, which may create applications. Each world has only one such client,
 * because it is itself an application of the list.
 */
function trustedToken(world: World): Promise<string> {
  const token = tokens.get(world) ?? world.company.token(world.admin.id, true);
  tokens.set(world, token);
  return token;
}

let made = 0;
/** Returns a unique name, because names of roles and e-mail addresses must be unique. */
const unique = (name: string | null) => `Ada ${name} ${++made}`;

export const companies: readonly Kind[] = simple.map((of): Kind => {
  const at = of.at ?? (() => of.path);
  return {
    name: of.name,
    path: of.path,
    sorts: of.unsorted ? [] : withDirections(["created_at"]),
    fallback: "created_at",
    parameter: "sort",
    shared: true,
    ...(of.admins && { admins: true }),
    ...(of.id && { id: of.id }),
    list: (world) => at(world) + (of.query ? `?${of.query}` : ""),
    make: of.make ?? ((world, { name }) => postRecord(world.admin, at(world), of.body(unique(name), world))),
    happen: (world, id, what, { name }) => {
      const change = () => put(world.admin, `${at(world)}/${id}`, of.body(unique(name), world));
      return apply(world.admin, `${at(world)}/${id}`, what === "remove", of.fixed ?? [], change);
    },
    key: (record) => record.created_at,
  };
});

async function apply(
  admin: Actor,
  path: string,
  leaves: boolean,
  fixed: readonly string[],
  change: () => Promise<void>,
): Promise<[] | "left"> {
  if (leaves && !fixed.includes("remove")) {
    await deleteAt(admin, path);
    return "left";
  }
  if (!fixed.includes("change")) await change();
  return [];
}
