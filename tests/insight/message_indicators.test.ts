/** Campaigns, mails, letters and sign-ins. Each moves the indicators that the test expects, and no other. */
import assert from "node:assert/strict";
import { startApp } from "../support/app.ts";
import { askToken, newClient, withPassword } from "../support/oauth.ts";
import { codeFor, openConsentShop, redeem } from "../support/consent.ts";
import { act, createCase, makeDefinition, makeRoad, posted, workAt } from "../messages/automated_world.ts";
import { newCase } from "../sales/parts.ts";
import { makeScene } from "../sales/tasks_world.ts";
import { unsubscribeUrl } from "../../src/messages/unsubscribe/links.ts";
import { createConsumer, everybody, runWork, sendingCompany } from "../messages/campaign_world.ts";
import { startJourney } from "./journey.ts";

Deno.test("a campaign and an unsubscribe link move their own indicators and no other", async () => {
  await using app = await startApp();
  const { admin } = await sendingCompany(app);
  const contact = await createConsumer(admin, { first_name: "Ada", email: "ada@example.org" }, {
    consent: { email: { consent_given: true } },
  });
  const { moves } = await startJourney(admin, app.clock, [admin.id, null]);
  const campaign = await moves(
    "POST campaign",
    { "campaigns.sent": 1, "campaigns.messages": 1 },
    async () => {
      const reply = await admin.call("POST", "/v1/campaigns", everybody);
      await runWork(app);
      return reply;
    },
  );
  const about = { companyId: admin.companyId, contactId: contact.id, aboutId: campaign.id };
  const url = unsubscribeUrl(app.deps.secretsKey, app.url, about);
  await moves(
    "POST unsubscribe link",
    { "campaigns.unsubscribed": 1, "contacts.consent.email": -1 },
    async () => {
      const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
      const { status, text } = await fetch(url, { method: "POST", body }).then(async (reply) => ({
        status: reply.status,
        text: await reply.text(),
      }));
      return { status, text, body: null };
    },
  );
});

Deno.test("mails and letters of activities move their own indicators and no other", async () => {
  await using app = await startApp();
  const { company, member, team, path } = await makeScene(app);
  const { admin } = company;
  const colleague = await company.user({ teams: [team] });
  const made = await newCase(member, path);
  await assertSuccess(member.call("PUT", `/v1/accounts/${made.account.id}/contacts/${made.contact.id}`, {
    fixed_fields: [{ name: "email", value: "grace@example.org" }],
  }));
  await assertSuccess(
    admin.call("PUT", `/v1/companies/${admin.companyId}/settings`, { email_tracking: true }),
  );
  // A mail counts for the maker of its activity, not for the user of the case.
  const { moves } = await startJourney(admin, app.clock, [colleague.id, team]);
  const write = async (correspondence: object) => {
    const reply = await colleague.call("POST", `/v1/cases/${made.id}/activities`, {
      activity_type_ids: [path.types["Call"]],
      correspondence,
    });
    await app.idle();
    return reply;
  };
  const text = { subject: "Offer", content: "<p>Dear Grace</p>" };
  await moves(
    "POST activity with a mail that is sent",
    { "activities.created": 1, "emails.sent": 1, "users.active": 1 },
    () => write({ email: { ...text, send: true } }),
  );
  const picture = /<img src="([^"]+)"/.exec(app.mailer.sent.at(-1)!.html!)![1]!;
  await moves(
    "POST activity with a mail that is kept",
    { "activities.created": 1 },
    () => write({ email: { ...text, send: false } }),
  );
  await moves(
    "POST activity with a letter",
    { "activities.created": 1, "letters.made": 1 },
    () => write({ letter: { content: "<p>Dear Grace</p>" } }),
  );
  app.clock.move(60_000);
  const open = async () => {
    const { status } = await fetch(picture).then(async (reply) => {
      await reply.bytes();
      return reply;
    });
    return { status, text: "", body: null };
  };
  await moves("the picture of a mail", { "emails.opened": 1 }, open);
  await moves("the picture of a mail, again", {}, open);
});

Deno.test("an automated communication counts as a mail of the user of its case", async () => {
  await using app = await startApp({ MAIL_RATE: "0" });
  const company = await app.company();
  const { admin } = company;
  const team = await company.team();
  const member = await company.user({ teams: [team] });
  const { id } = await posted(admin, "/v1/automated-communications", makeDefinition());
  const road = await makeRoad(admin, [id]);
  const made = await createCase(member, road);
  await act(admin, road, made.id, ["Drive"]);
  app.clock.set(Date.UTC(2026, 2, 3, 9));
  const { moves } = await startJourney(admin, app.clock, [member.id, team]);
  await moves("its minute", { "emails.sent": 1 }, async () => {
    await workAt(app, "2026-03-03 09:00:00");
    return await admin.call("GET", "/v1/me");
  });
});

Deno.test("sign-ins move their own indicator and no other", async () => {
  await using app = await startApp();
  const company = await app.company();
  const [active, other] = [await company.team(), await company.team()];
  const user = await company.user({ teams: [other, active], active });
  const client = await newClient(app, true);
  const username = await withPassword(app, user, "correct horse");
  const { moves } = await startJourney(company.admin, app.clock, [user.id, active]);
  const sign = { ...client, grant_type: "password", username, password: "correct horse" };
  const { refresh_token } = await moves("a password", { "sign_ins": 1 }, () => askToken(app, sign));
  await moves(
    "a refresh token",
    {},
    () => askToken(app, { ...client, grant_type: "refresh_token", refresh_token }),
  );
  const own = await newClient(app, false, company.admin);
  const device = { ...client, grant_type: "device_code" };
  const { device_code, user_code } = await moves("a code for a device", {}, () => askToken(app, device));
  await moves(
    "POST device activation",
    { "users.active": 1 },
    async () => app.call(await company.token(user.id), "POST", "/v1/device-activation", { code: user_code }),
    // The figure counts once in each team of the user.
    null,
  );
  app.clock.move(5_000);
  await moves("a device", { "sign_ins": 1 }, () => askToken(app, { ...device, device_code }));
  await moves("client credentials", {}, () => askToken(app, { ...own, grant_type: "client_credentials" }));
  const wrong = await askToken(app, { ...sign, password: "wrong horse" });
  assert.equal(wrong.status, 400);
  await moves("a wrong password before", {}, () => company.admin.call("GET", "/v1/me"));
});

Deno.test("a code of the consent page moves the sign-ins when it is redeemed, for a user without a team", async () => {
  await using app = await startApp();
  const { company, client, email } = await openConsentShop(app);
  const reader = await company.user({ type: "admin" });
  const { moves } = await startJourney(reader, app.clock, [company.admin.id, null]);
  const back = await codeFor(app, client.client_id, email);
  await moves(
    "the pages, and a code",
    { "sign_ins": 1 },
    () => redeem(app, client, back.searchParams.get("code")),
  );
});

async function assertSuccess(reply: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await reply;
  assert.equal(status, 200, text);
}
