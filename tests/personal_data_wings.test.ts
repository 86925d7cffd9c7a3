/** Of a deleted person nothing stays in merges, in what the console keeps, and in kept answers. */
import assert from "node:assert/strict";
import { longestAfter } from "../src/core/personal_data.ts";
import { sql } from "../src/db/statements.ts";
import { companyErasureWork } from "../src/erase.ts";
import { MailFailed } from "../src/platform/mail/mail.ts";
import { runStaged } from "../src/staged/run.ts";
import { signedIn } from "./console/world.ts";
import {
  campaignMails,
  createCampaign,
  createConsumer,
  everybody,
  postRecord,
  put,
  runWork,
  sendingCompany,
} from "./messages/campaign_world.ts";
import {
  day,
  env,
  findPlaces,
  makeScene,
  marks,
  nameFields,
  ofContact,
  passDays,
  type Scene,
} from "./personal_data_world.ts";
import { newPath } from "./sales/parts.ts";
import { type Actor, type Body, startApp, type TestApp } from "./support/app.ts";
import type { Browser } from "./support/browser.ts";

/** Values of records that became the person's by a merge, and of the person before a change. */
const ofWings = [
  ...ofContact,
  "zqcontactext",
  "zqcity",
  "zqsite",
  "zqaccountext",
  "zqother",
  "zqtitle",
  "zqwish",
  "zqtwinext",
  "zqthird",
  "zqchanged",
];

async function createMarkedConsumer(admin: Actor, external_id: string, values: Record<string, string>) {
  const account = await postRecord(admin, "/v1/accounts", {
    b2c: true,
    external_id: `${external_id}account`,
    fixed_fields: nameFields({ city: "Zqcity", website: "https://zqsite.example" }),
  });
  await postRecord(admin, `/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ ...marks, ...values }),
    custom_fields: nameFields({ wish: "Zqwish" }),
    external_id,
  });
  return account;
}

/** Merges two others into the person, lets the console show the result, and lets calls keep answers. */
async function wings(app: TestApp, { company, account, contact, member }: Scene): Promise<Browser> {
  const { admin } = company;
  await postRecord(admin, "/v1/fields/contact", { label: "Wish", type: "text" });
  const twin = await createMarkedConsumer(admin, "zqtwinext", {
    email: "zqother@example.org",
    title: "Zqtitle",
  });
  const merge = (from_id: string, more = {}) =>
    postRecord(admin, `/v1/accounts/${account.id}/merge`, { from_id, ...more });
  await merge(twin.id, { take: { city: "other" } });
  const third = await createMarkedConsumer(admin, "zqthird", {});
  const { merge_id } = await merge(third.id);
  await postRecord(admin, `/v1/merges/${merge_id}/undo`, {});
  await merge(third.id);
  const browser = await signedIn(app, member);
  const path = `/app/contacts/${contact.id}`;
  for (const each of [`/app/accounts/${account.id}`, `/app/customers?search=${marks.first_name}`, path]) {
    assert.equal((await browser.get(each)).status, 200, each);
  }
  const noted = await browser.submit(await browser.get(path), `${path}/notes`, { note: marks.first_name });
  assert.equal(noted.status, 303, noted.text);
  const read = { method: "GET", path: `/v1/contacts/${contact.id}` };
  await admin.call("POST", "/v1/batch", { requests: [read] }, { "Idempotency-Key": "read" });
  const email = { fixed_fields: nameFields({ email: "zqchanged@example.org" }) };
  await put(admin, `/v1/accounts/${account.id}/contacts/${contact.id}`, email);
  await app.idle();
  return browser;
}

Deno.test("of a deleted contact nothing stays in merges and in what the console keeps", async () => {
  await using app = await startApp(env);
  const set = await makeScene(app);
  await wings(app, set);
  const before = await findPlaces(app, ofWings);
  for (const table of ["merges", "idempotency_keys", "custom_values", "notes"]) {
    assert.ok(before.some((place) => place.startsWith(`table ${table}.`)), table);
  }
  assert.equal((await set.company.admin.call("DELETE", `/v1/accounts/${set.account.id}`)).status, 204);
  const afterwards = await findPlaces(app, ofWings);
  assert.deepEqual(afterwards.filter((place) => place.startsWith("table merge")), []);
  await passDays(app, longestAfter / day + 1);
  assert.deepEqual(await findPlaces(app, ofWings), []);
  await set.close();
});

Deno.test("kept answers go with their company, those to forms of the console too", async () => {
  await using app = await startApp({ ...env, ERASE_AFTER: "0" });
  const set = await makeScene(app);
  await wings(app, set);
  const readKept = () => app.sql("select distinct client_id from idempotency_keys order by 1");
  assert.equal((await readKept()).length, 2);
  assert.equal((await set.company.admin.call("DELETE", `/v1/companies/${set.company.id}`)).status, 204);
  await runStaged(app.deps, app.clock.now() + 60_000, [companyErasureWork]);
  assert.deepEqual(await readKept(), []);
  await set.close();
});

const ofUser = { email: "zqgracemail@example.org", phone_number: "+31 6 55557101" };
const textsOfUser = [
  "zqgracemail",
  ofUser.phone_number,
  "zqgracesign",
  "zqagent",
  "zqaddress",
  "zqstart",
  "zqsearch",
];

/** A user who sends a campaign, and uses the console. */
async function busyUser(app: TestApp, { company, contact }: Scene): Promise<Actor> {
  const { admin } = company;
  const users = `/v1/companies/${company.id}/users`;
  const made = { first_name: "Grace", last_name: "Hopper", password: "correct horse", user_type: { id: 1 } };
  const { id } = await postRecord(admin, users, { ...made, ...ofUser });
  let token = "";
  const user: Actor = {
    id,
    token,
    companyId: company.id,
    call: (method, path, body, headers) => app.call(token, method, path, body, headers),
  };
  // Signing in changes the password, which ends tokens.
  const browser = await signedIn(app, user);
  token = await company.token(id);
  await app.deps.db.write([{
    sql: "update sessions set user_agent = 'zqagent', address = 'zqaddress'",
    args: [],
  }]);
  await browser.get(`/app/contacts/${contact.id}`);
  await put(user, `${users}/${id}`, { signature: { email: "<p>Zqgracesign</p>" } });
  await put(user, "/v1/me/preferences", { start: "/app/leads?search=zqstart" });
  await postRecord(user, "/v1/views", { name: "Own", entity: "lead", query: { search: "zqsearch" } });
  await createConsumer(admin, { last_name: "Byron", email: "ada@example.org" });
  const content = "<p>{{user.email}} {{user.phone_number}} {{user.signature}} {{user.full_name}}</p>";
  await createCampaign(user, {
    ...everybody,
    name: "Own",
    message: { subject: "Offers", sender: "Ada", content },
  });
  await runWork(app);
  await app.idle();
  return user;
}

Deno.test("of a deleted user nothing stays in campaigns and in what the console keeps", async () => {
  await using app = await startApp(env);
  const set = await makeScene(app);
  const { admin, id } = set.company;
  const user = await busyUser(app, set);
  const before = await findPlaces(app, textsOfUser);
  for (
    const place of ["campaigns.snapshot", "sessions.address", "preferences.chosen", "saved_filters.query"]
  ) {
    assert.ok(before.includes(`table ${place}`), place);
  }
  assert.equal((await admin.call("DELETE", `/v1/companies/${id}/users/${user.id}`)).status, 204);
  await passDays(app, longestAfter / day + 1);
  assert.deepEqual(await findPlaces(app, textsOfUser), []);
  const { body } = await admin.call("GET", "/v1/campaigns");
  const campaign = body.data.find(({ name }: Body) => name === "Own");
  const messages = await admin.call("GET", `/v1/campaigns/${campaign.id}/messages`);
  const message = await admin.call(
    "GET",
    `/v1/campaigns/${campaign.id}/messages/${messages.body.data[0].id}`,
  );
  assert.match(message.body.content, /Grace Hopper/);
  await set.close();
});

Deno.test("what is left of a campaign goes out in the name of the successor", async () => {
  await using app = await startApp(env);
  const company = await sendingCompany(app);
  const { admin } = company;
  const contact = await createConsumer(admin, { last_name: "Byron", email: "ada@example.org" });
  const maker = await company.user({ type: "admin" });
  const made = await createCampaign(maker, {
    ...everybody,
    execute_now: false,
    send_at: "2026-04-01 09:00:00",
  });
  const snapshot = {
    subject: "Offers",
    content: "<p>{{user.email}} {{user.signature}}</p>",
    frame: null,
    margins: {},
    sender: { name: "Ada", address: "no-reply@example.org" },
    user: {
      first_name: "Grace",
      last_name: "Hopper",
      email: "zqgracemail@example.org",
      phone_number: "+31 6 55557101",
      signature_email: "Zqgracesign",
    },
  };
  const { id, created_at } = made;
  // The state between two lots.
  await app.deps.db.write([
    sql`insert into campaign_messages (company_id, campaign_id, contact_id, email, email_key, status, due_at,
      created_at, updated_at) values (${company.id}, ${id}, ${contact.id}, 'ada@example.org', 'ada@example.org',
      'pending', 0, ${created_at}, ${created_at})`,
    sql`update campaigns set stage = 'sending', snapshot = ${JSON.stringify(snapshot)} where id = ${id}`,
  ]);
  const path = `/v1/companies/${company.id}/users/${maker.id}?assign_to=${admin.id}`;
  assert.equal((await admin.call("DELETE", path)).status, 204);
  await runWork(app);
  await app.idle();
  const [mail] = campaignMails(app);
  const { body: me } = await admin.call("GET", "/v1/me");
  assert.equal(mail!.author!.address, me.email);
  assert.ok(mail!.text.includes(me.email), mail!.text);
  assert.deepEqual((await findPlaces(app, textsOfUser)).filter((place) => place.startsWith("table")), []);
});

Deno.test("what a mail server answers names nobody in the log", async () => {
  await using app = await startApp(env);
  const company = await sendingCompany(app);
  const { admin } = company;
  const contact = await createConsumer(admin, { last_name: "Byron", email: marks.email });
  const path = await newPath(admin);
  const opened = await postRecord(admin, "/v1/cases", { contact_id: contact.id, relations_path_id: path.id });
  app.mailer.send = ({ to }) => {
    const answer = `all recipients were rejected: 550 5.1.1 <${to}>: Recipient ${to.toUpperCase()}, unknown`;
    return Promise.reject(new MailFailed(answer, "refused", { isForRecipient: true }));
  };
  await postRecord(admin, `/v1/cases/${opened.id}/activities`, {
    activity_type_ids: [path.types["Call"]],
    correspondence: { email: { subject: "Offer", content: "Here", send: true } },
  });
  await createCampaign(admin, everybody);
  await runWork(app);
  await app.idle();
  const failed = app.log.entries.filter(({ event }) => event === "mail_failed");
  // The mail of the case, the notice about the campaign and, unless the first refusal came before it, the campaign.
  assert.ok(failed.length >= 2);
  for (const { error } of failed) assert.match(String(error), /rejected: 550 5\.1\.1 <\[address\]>/);
  assert.deepEqual((await findPlaces(app, [marks.email])).filter((place) => place.startsWith("log")), []);
});
