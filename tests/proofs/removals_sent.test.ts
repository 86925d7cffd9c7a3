/**
 * Each removal × approved campaigns, saved filters and scheduled reports beside it: none ever matches, counts or mails
 * more than before, none stays in a state that nobody can leave, none says that it was sent when it was not.
 */
import assert from "node:assert/strict";
import { deliverReports } from "../../src/insight/scheduled/deliver.ts";
import type { Body, TestApp } from "../support/app.ts";
import { prepareApp } from "../support/prepared.ts";
import { campaignMails, postRecord, put, runWork, sendingCompany } from "../messages/campaign_world.ts";
import { fillScene, makeConditions, type Removed, type Scene, storedFor } from "./removals/sent.ts";
import { takeSample } from "../support/sample.ts";

const day = 86_400_000;

const removeAt = (path: (scene: Scene) => string) => async (scene: Scene) => {
  const reply = await scene.admin.call("DELETE", path(scene));
  assert.ok(reply.status < 300, reply.text);
};

/** What each removal stops, by the names of `conditions`. All else keeps its meaning. */
const removals: Readonly<Record<string, Removed>> = {
  "an option": {
    remove: removeAt(({ choice, vip }) => `/v1/fields/contact/${choice.id}/options/${vip.id}`),
    stops: ["option eq", "option nin", "option exists", "option neq inside"],
  },
  "a field of choices": {
    remove: removeAt(({ choice }) => `/v1/fields/contact/${choice.id}`),
    stops: ["option eq", "option nin", "option exists", "option neq inside", "other option"],
  },
  "a field of numbers": {
    remove: removeAt(({ size }) => `/v1/fields/contact/${size.id}`),
    stops: ["number exists", "number lt"],
  },
  "the type of a field": {
    remove: async ({ admin, depth }) =>
      void await put(admin, `/v1/fields/contact/${depth.id}`, { label: "Depth", type: "date" }),
    stops: ["empty exists"],
  },
  "a saved filter": {
    remove: removeAt(({ unused }) => `/v1/contacts/filters/${unused.id}`),
    stops: [],
  },
  "an activity type": {
    remove: async ({ admin, path, kept }) =>
      void await put(admin, `/v1/relations-paths/${path.id}`, {
        activity_types: { milestones: [{ id: kept, name: "Kept" }], supportive: [] },
      }),
    stops: [],
  },
  "a webhook": { remove: removeAt(({ webhook }) => `/v1/webhooks/${webhook.id}`), stops: [] },
  "a folder": { remove: removeAt(({ folder }) => `/v1/filemanager/folders/${folder.id}`), stops: [] },
  "a campaign": { remove: removeAt(({ draft }) => `/v1/campaigns/${draft.id}`), stops: [] },
  "a task": { remove: removeAt(({ task }) => `/v1/tasks/${task.id}`), stops: [] },
  "a device": { remove: removeAt(() => "/v1/notifications/devices/phone"), stops: [] },
};

const startStored = prepareApp({ MAIL_RATE: "0" }, async (app) => {
  const { admin } = await sendingCompany(app);
  const scene = await fillScene(admin);
  const report = await scheduledBy(admin, admin.id);
  const stored = [];
  for (const [name, node] of Object.entries(makeConditions(scene))) {
    const { saved, campaign } = await storedFor(admin, name, node);
    stored.push({ name, saved, campaign, before: await readSeen(admin, saved, campaign) });
  }
  // A report counts the day that ended.
  app.clock.move(day);
  return { admin, scene, report, stored, figures: await figuresNow(app, admin, report) };
});

for (const [what, { remove, stops }] of takeSample(Object.entries(removals))) {
  Deno.test(`removing ${what} lets nothing match, count or mail more, and strands nothing`, async () => {
    await using world = await startStored();
    const { app, made: { admin, scene, report, stored, figures } } = world;
    await remove(scene);
    await runWork(app);
    for (const { name, saved, campaign, before } of stored) {
      const after = await readSeen(admin, saved, campaign);
      const isStopped = stops.includes(name);
      assert.deepEqual(after.state, isStopped ? "draft" : "pending", name);
      for (const reason of after.reasons) assert.equal(reason !== null, isStopped, `${name}: ${reason}`);
      if (!isStopped) assert.deepEqual(after, before, name);
      else assert.deepEqual(after.contacts, [], `${name}: a stopped filter matches nobody`);
    }
    for (const [key, value] of Object.entries(await figuresNow(app, admin, report))) {
      assert.ok(value <= figures[key]!, `${key}: ${value} after ${figures[key]}`);
    }

    // The jobs send what is due: to those who matched before, or to nobody.
    app.clock.move(5 * day);
    await runWork(app);
    await runWork(app);
    for (const { name, saved, campaign, before } of stored) {
      const mailed = campaignMails(app).filter(({ subject }) => subject === name).map(({ to }) => to);
      const { body } = await admin.call("GET", `/v1/campaigns/${campaign.id}`);
      assert.deepEqual(mailed.toSorted(), stops.includes(name) ? [] : before.addresses, name);
      assert.equal(body.status, stops.includes(name) ? "draft" : "sent", name);
      if (body.status === "sent") assert.ok(mailed.length > 0, `${name} says that it was sent`);
      await assertFree(admin, saved, campaign, stops.includes(name));
    }
  });
}

/** A stopped thing can be changed and used again, and deleted. */
async function assertFree(admin: Scene["admin"], saved: Body, campaign: Body, isStopped: boolean) {
  const at = { filter: `/v1/contacts/filters/${saved.id}`, campaign: `/v1/campaigns/${campaign.id}` };
  if (isStopped) {
    assert.equal((await put(admin, at.filter, { filter: [] })).stopped_reason, null);
    assert.equal((await put(admin, at.campaign, { filter: [], name: "Again" })).status, "draft");
  }
  for (const path of isStopped ? Object.values(at) : [at.filter]) {
    const reply = await admin.call("DELETE", path);
    assert.equal(reply.status, 204, `${path}: ${reply.text}`);
  }
}

interface Seen {
  readonly contacts: string[];
  readonly addresses: string[];
  readonly state: string;
  readonly reasons: (string | null)[];
}

/** The recipients of a filter and its campaign, and whether they are stopped. */
async function readSeen(admin: Scene["admin"], saved: Body, campaign: Body): Promise<Seen> {
  const list = await admin.call("GET", `/v1/contacts?filter_id=${saved.id}&per_page=100`);
  const filter = (await admin.call("GET", `/v1/contacts/filters/${saved.id}`)).body;
  const { body } = await admin.call("GET", `/v1/campaigns/${campaign.id}`);
  const contacts = (list.status === 200 ? list.body.data : []) as Body[];
  const addresses = contacts.map((contact) => getEmail(contact)).filter(Boolean).toSorted();
  if (body.status === "pending") {
    const { count } = (await admin.call("GET", `/v1/campaigns/${campaign.id}/recipients`)).body;
    assert.equal(count, addresses.length, `${campaign.name}: its recipients are those of its filter`);
  }
  return {
    contacts: contacts.map(({ id }) => id).toSorted(),
    addresses,
    state: body.status,
    reasons: [filter.stopped_reason, body.stopped_reason],
  };
}

function getEmail({ fixed_fields }: Body): string {
  return fixed_fields.find(({ name }: Body) => name === "email")?.value ?? "";
}

async function scheduledBy(admin: Scene["admin"], recipient: number): Promise<Body> {
  const set = await postRecord(admin, "/v1/reports/indicator-sets", {
    name: "All",
    scope: "company",
    indicators: ["contacts.b2c.total", "cases.open", "tasks.created", "activities.milestones"],
  });
  return await postRecord(admin, "/v1/reports/scheduled", {
    name: "Daily",
    indicator_set_id: set.id,
    delivery_frequency: "day",
    recipient_user_ids: [recipient],
  });
}

/** Lets the report of this day come, and returns its totals. */
async function figuresNow(
  app: TestApp,
  admin: Scene["admin"],
  { id }: Body,
): Promise<Record<string, number>> {
  const sent = await admin.call("POST", `/v1/reports/scheduled/${id}/send`);
  assert.equal(sent.status, 202, sent.text);
  await app.idle();
  await deliverReports(app.deps, app.clock.now());
  const [report] = await app.sql(
    "select id from report_deliveries where scheduled_report_id = ? order by rowid desc limit 1",
    id,
  );
  const { body } = await admin.call("GET", `/v1/reports/deliveries/${report!.id}`);
  const totals: [string, number][] = body.data.totals.map(
    (row: Body) => [row.indicator, Number(row.value ?? 0)],
  );
  assert.ok(totals.length > 0);
  return Object.fromEntries(totals);
}
