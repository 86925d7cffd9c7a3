/** Customers are merged while a campaign goes to them. */
import assert from "node:assert/strict";
import { runJobs } from "../../src/jobs.ts";
import type { Letter } from "../../src/platform/mail/mail.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  listMessages,
  sendingCompany,
} from "../messages/campaign_world.ts";
import { type Actor, type Body, startApp, type TestApp } from "../support/app.ts";
import { createRecord } from "./merges_world.ts";

interface Twins {
  readonly into: Body;
  readonly from: Body;
}

/** Pairs of consumers, each with an address of its own; of the first of every third pair it is missing. */
async function twins(admin: Actor, pairs: number): Promise<Twins[]> {
  return await Promise.all(Array.from({ length: pairs }, async (_, n) => ({
    into: await createConsumer(admin, {
      last_name: `Into ${n}`,
      ...(n % 3 === 0 ? {} : { email: `into${n}@example.org` }),
    }),
    from: await createConsumer(admin, { last_name: `From ${n}`, email: `from${n}@example.org` }, {
      account: { address: "1 High Street", city: "York" },
    }),
  })));
}

async function merge(admin: Actor, { into, from }: Twins): Promise<string> {
  return (await createRecord(admin, `/v1/contacts/${into.id}/merge`, { from_id: from.id }, 200)).merge_id;
}

/** Runs the jobs until the campaign is over and nothing waits. */
async function sendAll(app: TestApp, admin: Actor, id: string): Promise<void> {
  for (let run = 0; run < 8; run++) {
    await app.idle();
    assert.deepEqual(await runJobs(app.deps, app.clock.now()), []);
    const waiting = (await listMessages(admin, id)).some(({ status }) => status === "pending");
    if (!waiting && (await admin.call("GET", `/v1/campaigns/${id}`)).body.status === "sent") return;
    app.clock.move(120_000);
  }
  assert.fail("the campaign does not end");
}

const getAddress = ({ fixed_fields }: Body): string | null =>
  fixed_fields.find(({ name }: Body) => name === "email").value;

const letters = { ...everybody, type: "letter", message: { content: "<p>Dear {{contact.full_name}}</p>" } };

for (const campaign of [everybody, letters]) {
  Deno.test(`${campaign.type}: a message whose contact is merged after it was claimed goes to the one that stays at once`, async () => {
    await using app = await startApp({ MAIL_RATE: "0" });
    const { admin } = await sendingCompany(app);
    const [pair] = await twins(admin, 1);
    const { read } = app.deps.db;
    let merged = 0;
    app.deps.db.read = async (statements) => {
      // The read of what the messages of a claim need.
      if (merged === 0 && statements.some(({ sql }) => sql.includes("as is_custom, s.unsubscribe_url"))) {
        merged++;
        await merge(admin, pair!);
      }
      return await read.call(app.deps.db, statements);
    };
    const { id } = await createCampaign(admin, campaign);
    await app.idle();
    await runJobs(app.deps, app.clock.now());
    assert.equal(merged, 1);
    assert.deepEqual(
      (await listMessages(admin, id)).map(({ contact_id, status, error }) => [contact_id, status, error]),
      [[pair!.into.id, "sent", null]],
    );
    const mails = campaign === everybody ? ["from0@example.org"] : [];
    assert.deepEqual(campaignMails(app).map(({ to }) => to), mails);
    assert.deepEqual(app.log.entries.filter(({ level }) => level === "error"), []);
  });
}

Deno.test("merges beside a campaign leave nobody out, and nobody gets it twice", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const { admin } = await sendingCompany(app);
  const pairs = await twins(admin, 24);
  const going = pairs.slice(0, 18);
  const begun: Promise<string>[] = [];
  const { send } = app.mailer;
  // Each mail that the server takes begins the next merge, so that they come between claims, reads and records.
  app.mailer.send = async (letter: Letter) => {
    const next = going[begun.length];
    if (letter.id.startsWith("campaign-") && next) {
      const merging = merge(admin, next);
      begun.push(merging);
      if (begun.length % 2 === 0) await merging;
    }
    return await send.call(app.mailer, letter);
  };
  const { id } = await createCampaign(admin, everybody);
  await sendAll(app, admin, id);
  const merges = await Promise.all(begun);
  assert.equal(merges.length, going.length);

  const sent = campaignMails(app).map(({ to }) => to);
  assert.deepEqual(sent.toSorted(), [...new Set(sent)].sort(), "nobody gets it twice");
  const messages = await listMessages(admin, id);
  const ofContact = (contact: Body) => messages.filter(({ contact_id }) => contact_id === contact.id);
  for (const { into, from } of pairs) {
    assert.ok(sent.includes(getAddress(into) ?? getAddress(from)!), getAddress(from)!);
    assert.equal(
      ofContact(into).length,
      getAddress(into) === null && !going.some((each) => each.into === into) ? 0 : 1,
    );
  }
  for (const { from } of pairs.slice(18)) assert.ok(sent.includes(getAddress(from)!));
  const { total_sent } = (await admin.call("GET", `/v1/campaigns/${id}`)).body;
  assert.equal(total_sent, sent.length);
  assert.deepEqual(app.log.entries.filter(({ level }) => level === "error"), []);

  for (const merge_id of merges) {
    const { kept } = await createRecord(admin, `/v1/merges/${merge_id}/undo`, {}, 200);
    assert.ok(
      kept.every(({ entity_type, field }: Body) => entity_type === "campaign_message" && field === "status"),
    );
  }
  const after = await listMessages(admin, id);
  for (const { into, from } of pairs) {
    const of = (contact: Body) =>
      after.filter(({ contact_id }) => contact_id === contact.id).map(({ status, email }) => [status, email]);
    const address = getAddress(into);
    assert.deepEqual(of(into), address === null ? [] : [["sent", address]]);
    const status = sent.includes(getAddress(from)!) ? "sent" : "skipped";
    assert.deepEqual(of(from), [[status, getAddress(from)]]);
  }
});
