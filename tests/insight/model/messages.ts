/** Mails, campaigns and sign-ins of a history. */
import assert from "node:assert/strict";
import { askToken, newClient } from "../../support/oauth.ts";
import { runWork } from "../../messages/campaign_world.ts";
import { actOn, type Case, findFitting, readProperties } from "./cases.ts";
import { livingContacts, seeContact } from "./customers.ts";
import { seeLeads } from "./leads.ts";
import { call, chooseFrom, type Draw, look, password, readSeconds, type Scene } from "./scene.ts";

const content = "<p>Dear Ada</p>";

/** A sent e-mail of a case. */
export interface SentMail {
  readonly of: Case;
  readonly sender: number;
  /** The address of the picture that reports it as opened. */
  readonly picture: string;
  isOpened: boolean;
}

/** A sent campaign, with the unsubscribe links of its recipients. */
export interface SentCampaign {
  readonly user: number;
  readonly team: number | null;
  readonly links: string[];
}

/** Prepares a company to send campaigns and to track opened e-mails. */
export async function prepareMail(scene: Scene): Promise<void> {
  const { id } = scene.company;
  await call(scene, scene.admin, "PUT", "/v1/campaigns/settings", { domain_slug: `slug-${id}` });
  await call(scene, scene.admin, "PUT", `/v1/companies/${id}/settings`, { email_tracking: true });
}

/** Records a call with an e-mail, which is sent in two of three cases. */
export async function sendMail(scene: Scene, draw: Draw): Promise<void> {
  const of = findFitting(scene, ["Call"], draw.which);
  if (!of) return;
  const { contact } = await look(scene, `/v1/cases/${of.id}`);
  const email = contact.fixed_fields.find(({ name }: { name: string }) => name === "email").value;
  if (!email) return;
  const by = await actOn(scene, of, ["Call"], draw, {
    email: { subject: "Offer", content, send: draw.pick % 3 > 0 },
  });
  // The activity may be the first one that a lead waits for.
  await seeLeads(scene);
  if (draw.pick % 3 === 0) return;
  await scene.app.idle();
  scene.history.count("emails.sent", readSeconds(scene.app), readProperties(of, { user: by.actor.id }));
  // Notifications of the task may be mailed too.
  const pictures = scene.app.mailer.sent.map(({ html = "" }) => /<img src="([^"]+)"/.exec(html)?.[1]);
  const picture = pictures.findLast((found) => found !== undefined);
  assert.ok(picture);
  scene.mails.push({ of, sender: by.actor.id, picture, isOpened: false });
}

/** Opening a mail counts once, with the team that the case has then. */
export async function openMail(scene: Scene, draw: Draw): Promise<void> {
  const mail = chooseFrom(scene.mails.filter(({ of }) => of.life.now.status !== "deleted"), draw.which);
  if (!mail) return;
  await (await fetch(mail.picture)).bytes();
  await scene.app.idle();
  if (mail.isOpened) return;
  mail.isOpened = true;
  scene.history.count(
    "emails.opened",
    readSeconds(scene.app),
    readProperties(mail.of, { user: mail.sender }),
  );
}

/** Sends a campaign to every contact that consents, for a team or for the company. */
export async function sendCampaign(scene: Scene, draw: Draw): Promise<void> {
  const team_id = draw.flag ? null : chooseFrom(scene.teams, draw.pick)!;
  const from = scene.app.mailer.sent.length;
  const { id } = await call(scene, scene.admin, "POST", "/v1/campaigns", {
    name: "Spring",
    type: "email",
    message: { subject: "Offers", content, sender: "Ada, Cars" },
    filter: [],
    execute_now: true,
    team_id,
  });
  await runWork(scene.app);
  const campaign = await look(scene, `/v1/campaigns/${id}`);
  const of = { user: scene.admin.actor.id, team: campaign.team_id };
  if (campaign.status !== "sent") return;
  scene.history.count("campaigns.sent", readSeconds(scene.app), of);
  if (campaign.total_sent > 0) {
    scene.history.count("campaigns.messages", readSeconds(scene.app), of, campaign.total_sent);
  }
  const links = scene.app.mailer.sent.slice(from).flatMap(({ headers = {} }) => {
    const link = /<(http[^>]+)>/.exec(headers["List-Unsubscribe"] ?? "");
    return link ? [link[1]!] : [];
  });
  scene.campaigns.push({ ...of, links });
}

/** Unsubscribes a recipient, who consented or was never asked. A second call changes nothing. */
export async function unsubscribe(scene: Scene, draw: Draw): Promise<void> {
  const campaign = chooseFrom(scene.campaigns.filter(({ links }) => links.length > 0), draw.which);
  if (!campaign) return;
  const before = await refusing(scene);
  const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
  const reply = await fetch(chooseFrom(campaign.links, draw.pick)!, { method: "POST", body });
  const text = await reply.text();
  assert.ok(reply.status < 300, text);
  for (const contact of livingContacts(scene)) await seeContact(scene, contact);
  const ended = (await refusing(scene)).difference(before).size;
  const { user, team } = campaign;
  if (ended > 0) scene.history.count("campaigns.unsubscribed", readSeconds(scene.app), { user, team }, ended);
}

/** The ids of the contacts that refuse e-mails. */
async function refusing(scene: Scene): Promise<Set<string>> {
  const bodies = await Promise.all(livingContacts(scene).map(({ id }) => look(scene, `/v1/contacts/${id}`)));
  const refused = bodies.filter((body) => body?.consent.email.consent_given === false);
  return new Set(refused.map(({ id }) => id as string));
}

/** Signs a user in by password, in the active team. */
export async function signIn(scene: Scene, draw: Draw): Promise<void> {
  const people = scene.people.filter(({ life, username }) => life.now.isThere && username !== null);
  const person = chooseFrom(people, draw.which);
  if (!person) return;
  const { actor: { id: user }, username } = person;
  const client = await newClient(scene.app, true);
  const { status, text } = await askToken(scene.app, {
    ...client,
    grant_type: "password",
    username,
    password,
  });
  assert.equal(status, 200, text);
  const [row] = await scene.app.sql("select active_team_id as team from users where id = ?", user);
  scene.history.count("sign_ins", readSeconds(scene.app), {
    user,
    team: row!.team === null ? null : Number(row!.team),
  });
}
