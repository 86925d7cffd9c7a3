/** Accounts and contacts of a history. */
import type { Body } from "../../support/app.ts";
import { Life, type Properties } from "./history.ts";
import {
  call,
  chooseFrom,
  chooseOwner,
  type Draw,
  formatSeconds,
  listMembers,
  look,
  parseSeconds,
  readSeconds,
  type Scene,
} from "./scene.ts";

/** The lead whose acceptance made a record. */
export interface Origin {
  readonly leadType: string | null;
  readonly leadSource: string | null;
  readonly fromLead: boolean;
}
export const noLead: Origin = { leadType: null, leadSource: null, fromLead: false };

interface Owned {
  readonly isThere: boolean;
  readonly user: number | null;
  readonly team: number | null;
}
interface AccountState extends Owned {
  readonly address: boolean;
}
interface ContactState extends Owned {
  readonly levels: Readonly<Record<string, number>>;
}
export interface Account {
  readonly id: string;
  readonly b2c: boolean;
  readonly origin: Origin;
  readonly life: Life<AccountState>;
}
export interface Contact {
  readonly id: string;
  account: Account;
  readonly origin: Origin;
  readonly life: Life<ContactState>;
}

const nameSide = (kind: "accounts" | "contacts", b2c: boolean) => `${kind}.${b2c ? "b2c" : "b2b"}`;
const getField = (body: Body, name: string) =>
  body.fixed_fields.find((field: Body) => field.name === name).value ?? "";
const ofRecord = ({ user, team }: Owned, origin: Origin): Properties => ({ user, team, ...origin });

function accountState(body: Body): AccountState {
  const { team_id, user } = body;
  return { isThere: true, team: team_id, user: user?.id ?? null, address: getField(body, "address") !== "" };
}

function contactState(body: Body, { life, b2c }: Account): ContactState {
  const account = life.now;
  const levels: Record<string, number> = {
    [`${nameSide("contacts", b2c)}.total`]: 1,
    "accounts_contacts.without_address": account.address ? 0 : 1,
    "accounts_contacts.without_email": getField(body, "email") === "" ? 1 : 0,
    "accounts_contacts.without_phone_number": getField(body, "phone_number") === "" ? 1 : 0,
  };
  for (const channel of ["email", "call", "letter", "sms"]) {
    levels[`contacts.consent.${channel}`] = body.consent[channel].consent_given === true ? 1 : 0;
  }
  return { isThere: true, team: account.team, user: body.user?.id ?? null, levels };
}

/** Records a new account. */
export function meetAccount(scene: Scene, body: Body, origin = noLead): Account {
  const born = parseSeconds(body.created_at);
  const name = nameSide("accounts", body.b2c);
  const state = accountState(body);
  const life = new Life(
    born,
    state,
    (state) => state.isThere ? { of: ofRecord(state, origin), levels: { [`${name}.total`]: 1 } } : null,
  );
  scene.history.live(life);
  scene.history.count(`${name}.created`, born, ofRecord(state, origin));
  const account = { id: body.id, b2c: body.b2c, origin, life };
  scene.accounts.push(account);
  return account;
}

export function meetContact(scene: Scene, body: Body, account: Account, origin = noLead): Contact {
  const born = parseSeconds(body.created_at);
  const state = contactState(body, account);
  const life = new Life(
    born,
    state,
    (state) => state.isThere ? { of: ofRecord(state, origin), levels: state.levels } : null,
  );
  scene.history.live(life);
  scene.history.count(`${nameSide("contacts", account.b2c)}.created`, born, ofRecord(state, origin));
  const contact = { id: body.id, account, origin, life };
  scene.contacts.push(contact);
  return contact;
}

/** Records the present state of an account and its contacts. */
export async function seeAccount(scene: Scene, account: Account): Promise<void> {
  if (account.life.now.isThere) {
    const body = await look(scene, `/v1/accounts/${account.id}`);
    if (body) account.life.change(readSeconds(scene.app), accountState(body));
    else leave(scene, account, nameSide("accounts", account.b2c));
  }
  for (const contact of scene.contacts) {
    if (contact.account === account) await seeContact(scene, contact);
  }
}

export async function seeContact(scene: Scene, contact: Contact): Promise<void> {
  if (!contact.life.now.isThere) return;
  const body = await look(scene, `/v1/contacts/${contact.id}`);
  if (body) contact.life.change(readSeconds(scene.app), contactState(body, contact.account));
  else leave(scene, contact, nameSide("contacts", contact.account.b2c));
}

function leave(scene: Scene, record: Account | Contact, name: string): void {
  const at = readSeconds(scene.app);
  scene.history.count(`${name}.deleted`, at, ofRecord(record.life.now, record.origin));
  record.life.change(at, { isThere: false });
}

export const livingContacts = (scene: Scene) => scene.contacts.filter(({ life }) => life.now.isThere);
export const livingAccounts = (scene: Scene) => scene.accounts.filter(({ life }) => life.now.isThere);

const makeDate = (scene: Scene, { back }: Draw) =>
  back === null ? {} : { created_at: formatSeconds(readSeconds(scene.app) - back) };

export async function addAccount(scene: Scene, draw: Draw): Promise<void> {
  const body = await call(scene, scene.admin, "POST", "/v1/accounts", {
    b2c: draw.which % 3 === 0,
    ...chooseOwner(scene, draw.pick),
    ...makeDate(scene, draw),
    fixed_fields: [
      { name: "name", value: "Engines" },
      ...(draw.flag ? [{ name: "address", value: "Street 1" }] : []),
    ],
  });
  const account = meetAccount(scene, body);
  await addContactTo(scene, account, draw);
}

async function addContactTo(scene: Scene, account: Account, draw: Draw): Promise<void> {
  const { team } = account.life.now;
  const member = team === null ? undefined : chooseFrom(listMembers(scene, team), draw.pick);
  const body = await call(scene, scene.admin, "POST", `/v1/accounts/${account.id}/contacts`, {
    ...(draw.flag ? { user_id: member?.actor.id ?? null } : {}),
    ...makeDate(scene, draw),
    fixed_fields: [
      { name: "last_name", value: "Byron" },
      ...(draw.which % 2 === 0 ? [{ name: "email", value: `ada${scene.contacts.length}@example.org` }] : []),
    ],
    consent: { email: { consent_given: draw.flag } },
  });
  meetContact(scene, body, account);
}

export async function addContact(scene: Scene, draw: Draw): Promise<void> {
  const account = chooseFrom(livingAccounts(scene).filter(({ b2c }) => !b2c), draw.which);
  if (account) await addContactTo(scene, account, draw);
}

export async function changeAccount(scene: Scene, draw: Draw): Promise<void> {
  const account = chooseFrom(livingAccounts(scene), draw.which);
  if (!account) return;
  const { team_id, user_id } = chooseOwner(scene, draw.pick);
  await call(scene, scene.admin, "PUT", `/v1/accounts/${account.id}`, {
    ...(draw.pick % 2 === 0 ? { team_id, user_id: draw.flag ? user_id : null } : {}),
    fixed_fields: [
      { name: "address", value: account.life.now.address ? null : "Street 2" },
    ],
  });
  await seeAccount(scene, account);
}

export async function changeContact(scene: Scene, draw: Draw): Promise<void> {
  const contact = chooseFrom(livingContacts(scene), draw.which);
  if (!contact) return;
  const { levels } = contact.life.now;
  const channel = ["email", "call", "letter", "sms"][draw.pick % 4]!;
  const field = draw.flag ? "email" : "phone_number";
  const isMissing = levels[`accounts_contacts.without_${field}`] === 1;
  await call(scene, scene.admin, "PUT", `/v1/accounts/${contact.account.id}/contacts/${contact.id}`, {
    consent: { [channel]: { consent_given: levels[`contacts.consent.${channel}`] !== 1 } },
    fixed_fields: [
      {
        name: field,
        value: isMissing ? (draw.flag ? `ada${scene.contacts.length}@example.org` : "+442071838750") : null,
      },
    ],
  });
  await seeContact(scene, contact);
}

/** Moves a contact to another account. Its cases stay behind. */
export async function moveContact(scene: Scene, draw: Draw): Promise<void> {
  const companies = livingAccounts(scene).filter(({ b2c }) => !b2c);
  const contact = chooseFrom(livingContacts(scene).filter(({ account }) => !account.b2c), draw.which);
  const account = chooseFrom(companies, draw.pick);
  if (!contact || !account || contact.account === account) return;
  const path = `/v1/accounts/${contact.account.id}/contacts/${contact.id}`;
  await call(scene, scene.admin, "PUT", path, { account_id: account.id });
  contact.account = account;
  await seeContact(scene, contact);
}
