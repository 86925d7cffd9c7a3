/** Accounts and contacts in each list that shows them. */
import type { Body } from "../../support/app.ts";
import { act, openCase } from "./sales.ts";
import {
  deleteAt,
  formatDay,
  type Id,
  type Kind,
  nameFields,
  postRecord,
  put,
  type Seed,
  withDirections,
  type World,
} from "./world.ts";

const sorts = ["last_activity_at", "created_at", "updated_at"] as const;

const account: Kind = {
  name: "accounts",
  path: "/v1/accounts",
  sorts: withDirections([...sorts, "name"]),
  fallback: "last_activity_at",
  parameter: "sort",
  list: () => "/v1/accounts",
  make: async ({ admin, teams }, { name, day, team, b2c }) =>
    await postRecord(admin, "/v1/accounts", {
      b2c: b2c || name === null,
      fixed_fields: nameFields({ name, city: "Town" }),
      team_id: team === "none" ? null : teams[team],
      created_at: formatDay(day),
    }),
  async happen(world, id, what, { name, weight }) {
    const { admin, teams } = world;
    if (what === "rename") {
      await put(admin, `/v1/accounts/${id}`, { fixed_fields: nameFields({ name: name ?? "Zoe" }) });
      return ["name", "updated_at"];
    }
    if (what === "touch") {
      await put(admin, `/v1/accounts/${id}`, { fixed_fields: nameFields({ city: `Town ${weight}` }) });
      return ["updated_at"];
    }
    if (what === "move") {
      await put(admin, `/v1/accounts/${id}`, { team_id: teams.other });
      return "left";
    }
    if (what === "act") {
      const { body } = await admin.call("GET", `/v1/accounts/${id}/contacts`);
      const contact = body.data[0]?.id ?? await postRecord(admin, `/v1/accounts/${id}/contacts`, {
        fixed_fields: nameFields({ last_name: name ?? "Zoe" }),
      });
      await act(world, await openCase(world, contact));
      return ["last_activity_at", "updated_at", "name"];
    }
    await deleteAt(admin, `/v1/accounts/${id}`);
    return "left";
  },
  key: (record, sort) => sort === "name" ? getField(record, "name") : stamp(record, sort),
};

export const contact: Kind = {
  name: "contacts",
  path: "/v1/contacts",
  sorts: withDirections([...sorts, "last_name"]),
  fallback: "last_activity_at",
  parameter: "sort",
  list: () => "/v1/contacts",
  async make(world, seed) {
    const under = await account.make(world, { ...seed, name: "Engines Ltd" });
    return await makeContact(world, under, seed);
  },
  async happen(world, id, what, { name, weight }) {
    const { admin } = world;
    const { body: found } = await admin.call("GET", `/v1/contacts/${id}`);
    const at = `/v1/accounts/${found.account.id}/contacts/${id}`;
    if (what === "rename") {
      await put(admin, at, { fixed_fields: nameFields({ last_name: name }) });
      return ["last_name", "updated_at"];
    }
    if (what === "touch") {
      await put(admin, at, { fixed_fields: nameFields({ title: `Title ${weight}` }) });
      return ["updated_at"];
    }
    if (what === "move") {
      const away = await account.make(world, { name: "Away", day: 0, team: "other", b2c: false, weight: 0 });
      await put(admin, at, { account_id: away });
      return "left";
    }
    if (what === "act") {
      await act(world, await openCase(world, id));
      return ["last_activity_at", "updated_at"];
    }
    await deleteAt(admin, at);
    return "left";
  },
  key: (record, sort) => sort === "last_name" ? getField(record, "last_name") : stamp(record, sort),
};

const contactOfAccount: Kind = {
  ...contact,
  name: "contacts of an account",
  path: "/v1/accounts/:account_id/contacts",
  shared: true,
  list: (world) => `/v1/accounts/${world.account}/contacts`,
  make: (world, seed) => makeContact(world, world.account, seed),
};

/**
 * Returns the same list by a filter, a saved filter and a search. Changes that keep a record in the list keep
 * it in these selections, too.
 */
function selections(kind: Kind, singular: "account" | "contact", search: string): Kind[] {
  const filter = [{ field: `${singular}.created_at`, operator: "gte", value: formatDay(0) }];
  return [
    {
      ...kind,
      name: `${kind.name} that a filter selects`,
      path: `${kind.path}/filter`,
      list: () => `${kind.path}/filter`,
      filter: { filter },
    },
    {
      ...kind,
      name: `${kind.name} that a saved filter selects`,
      list: ({ filters }) => `${kind.path}?filter_id=${filters[singular]}`,
    },
    {
      ...kind,
      name: `${kind.name} that are searched for`,
      list: () => `${kind.path}?search=${search}`,
    },
  ];
}

export const customers: readonly Kind[] = [
  account,
  contact,
  contactOfAccount,
  ...selections(account, "account", "town"),
  ...selections(contact, "contact", "ada"),
];

function getField(record: Body, name: string): string {
  const field = record.fixed_fields.find((each: { name: string }) => each.name === name);
  return String(field?.value ?? "").toLowerCase();
}

/**
 * Returns the sort value of a record. Without an activity during the walk, the last activity is the creation.
 */
function stamp(record: Body, sort: string): string {
  return record[sort === "last_activity_at" ? "created_at" : sort];
}

async function makeContact({ admin }: World, under: Id, { name, day }: Seed): Promise<Id> {
  return await postRecord(admin, `/v1/accounts/${under}/contacts`, {
    fixed_fields: nameFields({ first_name: "Ada", last_name: name }),
    created_at: formatDay(day),
  });
}
