/**
 * Each removal × each thing that names what is removed × before and after. What the features declare beside their tables
 * is true of the rows, and over HTTP nobody is shown more than before, nothing stays in a state that nobody can leave,
 * and nothing says that it was sent.
 */
import assert from "node:assert/strict";
import { type DeletableKind, deletableKinds } from "../../src/db/references.ts";
import { sql } from "../../src/db/statements.ts";
import { runJobs } from "../../src/jobs.ts";
import type { Actor, Body, TestApp } from "../support/app.ts";
import { prepareApp } from "../support/prepared.ts";
import { fill, type Place } from "../sweep/place.ts";
import {
  assertTrue,
  chooseEffect,
  chooseWord,
  findNaming,
  idIn,
  type Naming,
  plant,
  type Reference,
  referencesTo,
} from "./removals/rows.ts";
import { isWhole, takeSample } from "../support/sample.ts";

interface Removal {
  readonly kind: DeletableKind;
  readonly id: (place: Place) => string | number | Promise<string | number>;
  readonly path: (place: Place, id: string | number) => string | Promise<string>;
  /** The successor; none for `null`. */
  readonly heir?: (place: Place) => number | Promise<number>;
  /** Ends what prevents the removal. */
  readonly before?: (place: Place, id: string | number) => Promise<unknown>;
}

const teamPath = (_: Place, id: string | number) => `/v1/teams/${id}`;
const userPath = ({ ids }: Place, id: string | number) => `/v1/companies/${ids.company_id}/users/${id}`;

/** Open records need a successor. */
async function closeAll({ world: { app }, ids }: Place): Promise<void> {
  const { team_id, company_id } = ids;
  await app.deps.db.write([
    {
      sql: "update cases set status = 'closed' where company_id = ? and team_id = ?",
      args: [company_id, team_id],
    },
    {
      sql:
        "update leads set team_id = null, agency_team_id = null where company_id = ? and state <> 'accepted'",
      args: [company_id],
    },
  ]);
}

/** A set that no report uses goes with its maker. */
async function createUnusedSet({ make }: Place): Promise<void> {
  await make("/v1/reports/indicator-sets", { name: "Own", indicators: ["cases.closed"] }, 200);
}

/** A field of choices with one option, which a record has chosen, on which another field depends, and in an order. */
async function chosenField({ make, ids, world: { admin } }: Place, owner: string) {
  const createField = async (label: string) => {
    const { id } = await make(`/v1/fields/${owner}`, { label, type: "single_choice" });
    return { id, option: (await make(`/v1/fields/${owner}/${id}/options`, { value: "Yes" })).id };
  };
  const [field, shown] = [await createField("Chosen"), await createField("Shown")];
  const record = {
    account: `/v1/accounts/${ids.account_id}`,
    contact: `/v1/accounts/${ids.account_id}/contacts/${ids.contact_id}`,
    product: `/v1/products/${ids.product_id}`,
  }[owner]!;
  const custom_fields = [{ id: field.id, value: field.option }];
  const link = { field_id: field.id, option_id: field.option, options_shown: [shown.option] };
  for (
    const [path, body] of [
      [record, { custom_fields }],
      [`/v1/fields/${owner}/${shown.id}/links`, { links: [link] }],
      [`/v1/fields/${owner}/sort`, { sort: [{ type: "field", value: field.id }] }],
    ] as const
  ) {
    const reply = await admin.call("PUT", path, body);
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  }
  return field;
}

const fieldRemovals = Object.fromEntries(
  ["account", "contact", "product"].flatMap((owner): [string, Removal][] => [
    [`a field of ${owner}s`, {
      kind: "field",
      id: async (place) => (await chosenField(place, owner)).id,
      path: (_, id) => `/v1/fields/${owner}/${id}`,
    }],
    [`an option of ${owner}s`, {
      kind: "option",
      id: async (place) => (await chosenField(place, owner)).option,
      path: async ({ world: { app } }, id) => {
        const [{ id: field } = {}] = await app.sql(
          "select id from fields where options like ?",
          `%${id}%`,
        );
        return `/v1/fields/${owner}/${field}/options/${id}`;
      },
    }],
  ]),
);

const removals: Readonly<Record<string, Removal>> = {
  ...fieldRemovals,
  "a device": {
    kind: "device",
    id: async ({ world: { app, admin } }) => {
      await admin.call("POST", "/v1/notifications/devices/phone", { type: "iOS" });
      const id = Number((await app.sql("select id from devices where token = 'phone'"))[0]!.id);
      await app.deps.db.write([sql`insert into pushes (notification_seq, device_id, due_at)
        select max(seq), ${id}, ${Number.MAX_SAFE_INTEGER} from notifications`]);
      return id;
    },
    path: () => "/v1/notifications/devices/phone",
  },
  "a webhook": {
    kind: "webhook",
    id: async ({ ids, world: { app } }) => {
      await app.deps.db.write([sql`insert into recoveries (company_id, webhook_id, after_at, after_id, until)
        select company_id, id, created_at, '', created_at from webhooks where id = ${ids.webhook_id}`]);
      return ids.webhook_id;
    },
    path: (_, id) => `/v1/webhooks/${id}`,
  },
  "a campaign": {
    kind: "campaign",
    id: ({ ids }) => ids.campaign_id,
    path: (_, id) => `/v1/campaigns/${id}`,
    before: async ({ world: { app, admin } }, id) => {
      // A draft has no recipients, and a campaign that has some is never removed.
      await app.deps.db.write([sql`delete from campaign_messages where campaign_id = ${id}`]);
      await admin.call("PUT", `/v1/campaigns/${id}`, { approved: false });
    },
  },
  "a task": { kind: "task", id: ({ ids }) => ids.task_id, path: (_, id) => `/v1/tasks/${id}` },
  "a folder": {
    kind: "folder",
    id: async ({ make, ids }) => {
      await make("/v1/filemanager/folders", {
        name: "Inside",
        belongs_to: "company",
        folder_id: ids.folder_id,
      }, 200);
      return ids.folder_id;
    },
    path: (_, id) => `/v1/filemanager/folders/${id}`,
  },
  "a team with a successor": {
    kind: "team",
    id: ({ ids }) => ids.team_id,
    path: teamPath,
    heir: ({ world: { company } }) => company.team({ name: "Heir" }),
  },
  "a team without a successor": {
    kind: "team",
    id: ({ ids }) => ids.team_id,
    path: teamPath,
    before: closeAll,
  },
  "a user with a successor": {
    kind: "user",
    id: ({ ids }) => ids.user_id,
    path: userPath,
    heir: async ({ world: { company } }) => (await company.user({ type: "admin" })).id,
    before: createUnusedSet,
  },
  "a user without a successor": {
    kind: "user",
    id: ({ ids }) => ids.user_id,
    path: userPath,
    before: createUnusedSet,
  },
  "a group": {
    kind: "group",
    id: ({ ids }) => ids.group_id,
    path: (_, id) => `/v1/groups/${id}`,
  },
  "a role": { kind: "role", id: ({ ids }) => ids.role_id, path: (_, id) => `/v1/roles/${id}` },
  "a template": {
    kind: "template",
    id: ({ ids }) => ids.template_id,
    path: (_, id) => `/v1/templates/${id}?force=true`,
  },
  "an automated communication": {
    kind: "automated_communication",
    id: ({ ids }) => ids.automated_communication_id,
    path: (_, id) => `/v1/automated-communications/${id}`,
  },
  "a rank": {
    kind: "rank",
    id: ({ ids }) => ids.rank_id,
    path: (_, id) => `/v1/gamification/ranks/${id}`,
  },
  "a scheduled report": {
    kind: "scheduled_report",
    id: ({ ids }) => ids.scheduled_report_id,
    path: (_, id) => `/v1/reports/scheduled/${id}`,
  },
  "an indicator set": {
    kind: "indicator_set",
    id: async ({ make, ids }) =>
      (await make("/v1/reports/indicator-sets", {
        name: "Unused",
        indicators: ["leads.created"],
        team_id: ids.team_id,
      }, 200)).id,
    path: (_, id) => `/v1/reports/indicator-sets/${id}`,
  },
  "a relations path": {
    kind: "relations_path",
    id: async ({ make }) =>
      (await make("/v1/relations-paths", {
        name: "Unused",
        activity_types: { milestones: [{ name: "Offer" }] },
      })).id,
    path: (_, id) => `/v1/relations-paths/${id}`,
  },
  "a lead type": {
    kind: "lead_type",
    id: async ({ make, ids }) =>
      (await make("/v1/lead-types", { name: "Unused", relations_path_ids: [ids.relations_path_id] })).id,
    path: (_, id) => `/v1/lead-types/${id}`,
  },
  "a category": {
    kind: "category",
    id: ({ ids }) => ids.category_id,
    path: (_, id) => `/v1/products/categories/${id}`,
  },
  "a product": { kind: "product", id: ({ ids }) => ids.product_id, path: (_, id) => `/v1/products/${id}` },
  "a file": { kind: "file", id: ({ ids }) => ids.file_id, path: (_, id) => `/v1/files/${id}` },
  "an account": {
    kind: "account",
    id: ({ ids }) => ids.account_id,
    path: (_, id) => `/v1/accounts/${id}`,
  },
  "a contact": {
    kind: "contact",
    id: ({ ids }) => ids.contact_id,
    path: ({ ids }, id) => `/v1/accounts/${ids.account_id}/contacts/${id}`,
  },
  "a case": { kind: "case", id: ({ ids }) => ids.case_id, path: (_, id) => `/v1/cases/${id}` },
  "a lead": { kind: "lead", id: ({ ids }) => ids.lead_id, path: (_, id) => `/v1/leads/${id}` },
  "an application": {
    kind: "application",
    id: ({ ids }) => ids.application_client_id,
    path: (_, id) => `/v1/applications/${id}`,
  },
};

/** Attaches a file to a record of each kind. */
async function attachFile({ make, ids, world: { admin } }: Place): Promise<void> {
  const { id } = await make("/v1/files", {
    name: "attached.txt",
    data: "SGVsbG8sIHdvcmxkIQo=",
    permissions: [{ type: "company", value: ids.company_id }],
  });
  const account = `/v1/accounts/${ids.account_id}`;
  for (
    const path of [
      account,
      `${account}/contacts/${ids.contact_id}`,
      `/v1/cases/${ids.case_id}`,
      `/v1/leads/${ids.lead_id}`,
    ]
  ) {
    const reply = await admin.call("POST", `${path}/files`, { file_ids: [id, ids.file_id] });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
  }
}

/** References that rows name, and those that no row of the world names and no single row can take. */
const tried = new Set<string>();
const untried = new Set<string>();

/** Rows that signing in, single calls and counted figures make; tests of their features remove users and teams. */
const lacking = [
  "authorization_codes.client_id of application",
  "authorization_codes.user_id of user",
  "case_status_changes.case_id of case",
  "case_status_changes.user_id of user",
  "device_codes.client_id of application",
  "device_codes.user_id of user",
  "devices.user_id of user",
  "exports.file_id of file",
  "fact_dims.agency_team_id of team",
  "fact_dims.relations_path_id of relations_path",
  "fact_dims.teams of team",
  "fact_rollups.team_id of team",
  "fact_rollups.user_id of user",
  "field_orders.group_id of group",
  "field_orders.team_id of team",
  "game_players.user_id of user",
  "high_fives.user_id of user",
  "idempotency_keys.client_id of application",
  "idempotency_keys.user_id of user",
  "imports.file_id of file",
  "merged_records.from_id of account",
  "merged_records.from_id of contact",
  "merged_records.into_id of account",
  "merged_records.into_id of contact",
  "merges.entity_id of account",
  "merges.entity_id of contact",
  "merges.from_id of account",
  "merges.from_id of contact",
  "merges.root_id of account",
  "merges.root_id of contact",
  "merges.user_id of user",
  "notification_preferences.user_id of user",
  "notification_reads.user_id of user",
  "password_resets.user_id of user",
  "preferences.user_id of user",
  "recent_records.user_id of user",
  "refresh_tokens.client_id of application",
  "refresh_tokens.user_id of user",
  "sessions.user_id of user",
];

/** Lets a row name the record by each declared reference, and returns all rows that name it. */
async function allNaming(
  app: TestApp,
  place: Place,
  { kind }: Removal,
  id: string | number,
  hasHeir: boolean,
) {
  const found: { of: Reference; named: Naming[]; id: string | number }[] = [];
  for (const of of referencesTo(kind)) {
    if (["block", "step"].includes(chooseWord(chooseEffect(of, hasHeir)))) continue;
    if ((await findNaming(app, of, await idIn(app, of, id))).length === 0) {
      await plant(app, of, id, place.ids.company_id);
    }
  }
  for (const of of referencesTo(kind)) {
    if (["block", "step"].includes(chooseWord(chooseEffect(of, hasHeir)))) continue;
    const own = await idIn(app, of, id);
    found.push({ of, named: await findNaming(app, of, own), id: own });
  }
  return found;
}

/** Lists whose records belong to somebody. */
const lists = [
  "/v1/accounts",
  "/v1/contacts",
  "/v1/cases",
  "/v1/leads",
  "/v1/relations-paths",
  "/v1/lead-types",
  "/v1/templates",
  "/v1/campaigns",
  "/v1/automated-communications",
  "/v1/reports/indicator-sets",
  "/v1/gamification/ranks",
  "/v1/contacts/filters",
  "/v1/views",
  "/v1/files",
  "/v1/notes",
] as const;

async function listShown(by: Actor): Promise<Set<string>> {
  const pages = await Promise.all(lists.map(async (path) => {
    const { status, body, text } = await by.call("GET", `${path}?per_page=100`);
    assert.ok([200, 401, 403].includes(status), `${path}: ${text}`);
    return status === 200 ? body.data.map((one: Body) => `${path}/${one.id}`) : [];
  }));
  return new Set(pages.flat());
}

/** Lists of records that can be changed in every state that a removal leaves them in. */
const changed = [
  "/v1/relations-paths",
  "/v1/lead-types",
  "/v1/templates",
  "/v1/campaigns",
  "/v1/automated-communications",
  "/v1/reports/indicator-sets",
  "/v1/reports/scheduled",
  "/v1/gamification/ranks",
  "/v1/contacts/filters",
  "/v1/views",
] as const;

async function assertNotStuck(admin: Actor): Promise<void> {
  for (const list of changed) {
    for (const { id } of (await admin.call("GET", `${list}?per_page=100`)).body.data) {
      const one = await admin.call("GET", `${list}/${id}`);
      if (one.status !== 200 || one.body.status === "sent") continue;
      const again = await admin.call("PUT", `${list}/${id}`, { name: "Changed", title: "Changed" });
      assert.ok(again.status < 300, `${list}/${id} cannot be changed: ${again.text}`);
    }
  }
}

const startFilled = prepareApp({ MAIL_RATE: "0" }, async (app) => {
  const place = await fill(app);
  await attachFile(place);
  return place;
});

for (const [what, removal] of takeSample(Object.entries(removals))) {
  Deno.test(`removing ${what} does what is declared, widens nothing, strands nothing`, async () => {
    await using filled = await startFilled();
    const { app, made: place } = filled;
    const { admin, company } = place.world;
    const id = await removal.id(place);
    const heir = removal.heir ? await removal.heir(place) : null;
    const stranger = await company.user({ teams: [await company.team()] });
    const mate = await company.user({ teams: [await company.team({ group_id: place.ids.group_id })] });
    await removal.before?.(place, id);
    const path = await removal.path(place, id);

    for (const of of referencesTo(removal.kind)) {
      const effect = chooseEffect(of, heir !== null);
      if (chooseWord(effect) !== "block" || typeof effect === "string" || !("block" in effect)) continue;
      const about = `${of.table}.${of.column}`;
      const made = await plant(app, of, id, place.ids.company_id);
      if (!made) {
        untried.add(`${about} of ${of.kind}`);
        continue;
      }
      const refused = await admin.call("DELETE", path);
      assert.equal(refused.status, 409, `${about} does not block ${what}: ${refused.text}`);
      const named = { type: effect.block, attribute: effect.by.attribute ?? of.column };
      const { blocked_by } = refused.body.impact;
      assert.deepEqual(blocked_by.map(({ amount: _, ...by }: Body) => by).slice(-1), [named], refused.text);
      const impact = await admin.call("GET", `${path}/delete-impact`);
      assert.deepEqual(impact.body.blocked_by, blocked_by, path);
      await made.undo();
    }

    const rows = await allNaming(app, place, removal, id, heir !== null);
    const before = await Promise.all([stranger, mate].map(listShown));
    const sent = await app.sql("select id from campaigns where status = 'sent'");
    const reply = await admin.call("DELETE", heir === null ? path : `${path}?assign_to=${heir}`);
    assert.ok(reply.status < 300, reply.text);
    await app.idle();
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);

    // Rows that go by one reference say nothing about another.
    const going = rows.filter(({ of }) => chooseWord(chooseEffect(of, heir !== null)) === "cascade");
    const gone = new Set(going.flatMap(({ of, named }) => named.map(({ rowid }) => `${of.table} ${rowid}`)));
    for (const { of, named, id } of rows) {
      (named.length === 0 ? untried : tried).add(`${of.table}.${of.column} of ${of.kind}`);
      for (const each of named) {
        if (
          chooseWord(chooseEffect(of, heir !== null)) !== "cascade" && gone.has(`${of.table} ${each.rowid}`)
        ) {
          continue;
        }
        await assertTrue(app, of, id, each, heir);
      }
    }
    const after = await Promise.all([stranger, mate].map(listShown));
    after.forEach((seen, place) =>
      assert.deepEqual([...seen].filter((one) => !before[place]!.has(one)), [], "shown to more people")
    );
    assert.deepEqual(await app.sql("select id from campaigns where status = 'sent'"), sent);
    await assertNotStuck(admin);
  });
}

// Another removal may try what one does not.
if (isWhole) {
  Deno.test("every declared reference was tried, except for those that the world lacks", () => {
    assert.deepEqual([...untried.difference(tried)].filter((one) => !lacking.includes(one)), []);
  });
}

/** Kinds that a path ends in its own change, that end by time, or that only go with others. */
const unremoved = ["activity", "activity_type", "automated_message", "company", "delivery", "export"];

Deno.test("every kind that can be removed is removed here", () => {
  const removed = new Set<string>(Object.values(removals).map(({ kind }) => kind));
  assert.deepEqual(deletableKinds.filter((kind) => !removed.has(kind)), unremoved);
});
