/** Consents of rows: none lifts the refusal of an address. */
import { e164 } from "../../core/phone_numbers.ts";
import { refusedChannels } from "../../customers/refusals/reasons.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { findAddress, hashRefusal, selectUnsubscribed } from "../../customers/refusals/refusals.ts";
import { selectContactsAmong } from "../../customers/contacts/queries.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { identifier, joinSql, sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import type { Customers } from "./customers.ts";
import { addFault, type Draft, findFixedValue } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

type Channel = typeof refusedChannels[number];

export interface Refusals {
  readonly isRefused: (draft: Draft, channel: Channel) => boolean;
  /** Whether a row before may have left a refusal at an address that this one agrees for. */
  readonly isUnsure: (draft: Draft) => boolean;
  /** Notes the addresses at which a row may leave a refusal. Returns the keys of those where a dry run would have. */
  readonly note: (draft: Draft, contact: ContactChange) => string[];
  /** Refuses the commit when an address that agrees was refused since. */
  readonly guards: readonly Statement[];
}

/** A contact before and after a row; null before it is made. */
export interface ContactChange {
  readonly before: ContactFacts | null;
  readonly after: ContactFacts;
}

const refusedKey = "refused ";
const numberChannels = refusedChannels.filter((channel) => channel !== "email");

/** Reads contacts that refuse to be called or written to at the numbers of rows: two of each number and channel. */
export function readRefusers(row: ImportRow, drafts: readonly Draft[], country: string | null): Statement {
  const numbers = row.entity === "contacts"
    ? drafts.flatMap((draft) => findNumber(draft, country) ?? [])
    : [];
  const list = JSON.stringify([...new Set(numbers)]);
  const refusing = numberChannels.map((channel) =>
    sql`select c.id from json_each(${list}) k cross join contacts c on c.id in (
      select m.id from contacts m indexed by contacts_by_e164 where m.company_id = ${row.company_id}
      and m.e164 = k.value and ${identifier("m", `consent_${channel}`)} = 0 limit 2)`
  );
  return selectContactsAmong(joinSql(refusing, " union "));
}

/** Returns the number of a row in international form. */
export function findNumber({ self }: Draft, country: string | null): string | null {
  const number = findFixedValue(self, "phone_number");
  return typeof number === "string" && number.trim() !== "" ? e164(number.trim(), country) : null;
}

/** Whose consents the rows of an import have. */
function chooseAgreeing({ entity }: ImportRow): "contact" | "self" {
  return entity === "leads" ? "contact" : "self";
}

/** Reads which of the addresses have refused that rows agree for: their own, and those of the contacts that they match. */
export async function readRefusals(
  { db, deps }: Moment,
  row: ImportRow,
  { fields: { country } }: UserAuthor,
  drafts: readonly Draft[],
  customers: Customers,
): Promise<Refusals> {
  const { company_id } = row;
  const of = chooseAgreeing(row);
  const isDry = row.status === "checking";
  const agrees = (draft: Draft, channel: Channel) => draft[of].consent[channel]?.consent_given === true;
  const channels = refusedChannels.filter((channel) => drafts.some((draft) => agrees(draft, channel)));
  const hashAddress = (channel: Channel, value: unknown): string[] => {
    if (typeof value !== "string" || value.trim() === "") return [];
    const [email, number] = channel === "email" ? [value.trim(), null] : [null, e164(value.trim(), country)];
    const address = findAddress(channel, { company_id, email, e164: number });
    return address ? [hashRefusal(deps, address)] : [];
  };
  const hashAddresses = (channel: Channel, values: readonly unknown[]) =>
    values.flatMap((value) => hashAddress(channel, value));
  /** The addresses for which a row agrees: its own, and those of the contacts that it finds. */
  const hashAgreed = (draft: Draft, channel: Channel) => {
    const field = chooseField(channel);
    const known = of === "self" ? customers.findContacts(draft, row.match, country) : [];
    return hashAddresses(channel, [
      findFixedValue(draft[of], field),
      ...known.map((contact) => contact[field]),
    ]);
  };
  // A row may match a contact that a row before it makes or changes: that has an address of the step, too.
  const contacts = of === "self" ? [...customers.contacts.values()] : [];
  const all = new Set(channels.flatMap((channel) => {
    const field = chooseField(channel);
    return hashAddresses(channel, [
      ...drafts.map((draft) => findFixedValue(draft[of], field)),
      ...contacts.map((contact) => contact[field]),
    ]);
  }));
  const keys = JSON.stringify([...all].map((hash) => refusedKey + hash));
  const [found, kept] = all.size === 0 ? [] : await db.read([
    selectUnsubscribed(company_id, [...all]),
    ...(isDry
      ? [sql`select key from import_keys where import_id = ${row.id}
          and key in (select value from json_each(${keys}))`]
      : []),
  ]);
  const refused = new Set([
    ...found?.rows.map(({ hash }) => String(hash)) ?? [],
    ...kept?.rows.map(({ key }) => String(key).slice(refusedKey.length)) ?? [],
  ]);
  const allowed = [...all].filter((hash) => !refused.has(hash));
  const unsure = new Set<string>();
  return {
    isRefused: (draft, channel) =>
      // Most steps: their addresses are not hashed again.
      refused.size > 0 && hashAgreed(draft, channel).some((hash) => refused.has(hash)),
    isUnsure: (draft) =>
      unsure.size > 0 &&
      channels.some((channel) =>
        agrees(draft, channel) && hashAgreed(draft, channel).some((hash) => unsure.has(hash))
      ),
    note(draft, { before, after }) {
      const left = before === null ? [] : refusedChannels.flatMap((channel) => {
        const held = channel === "email" ? "email" : "e164";
        const isLeft = before[`consent_${channel}`] === 0 && before[held] !== after[held];
        return isLeft ? hashAddress(channel, before[chooseField(channel)]) : [];
      });
      if (isDry) {
        const others = before?.e164 === after.e164 || after.e164 === null
          ? []
          : [...customers.contacts.values()].filter(({ id, e164 }) => e164 === after.e164 && id !== after.id);
        const joined = numberChannels.filter((channel) =>
          !agrees(draft, channel) && others.some((other) => other[`consent_${channel}`] === 0)
        ).flatMap((channel) => hashAddress(channel, after.phone_number));
        const all = [...left, ...joined];
        for (const hash of all) refused.add(hash);
        return all.map((hash) => refusedKey + hash);
      }
      // A number that another contact refuses is refused by each that gets it and does not agree.
      const joined = before?.e164 === after.e164
        ? []
        : channels.flatMap((channel) =>
          channel === "email" || agrees(draft, channel) ? [] : hashAddress(channel, after.phone_number)
        );
      for (const hash of [...left, ...joined]) unsure.add(hash);
      return [];
    },
    guards: channels.length === 0
      ? []
      : [guardThat("refusals", sql`not exists (${selectUnsubscribed(company_id, allowed)})`)],
  };
}

function chooseField(channel: Channel): "email" | "phone_number" {
  return channel === "email" ? "email" : "phone_number";
}

/** A row lifts no refusal: it fails, or its consent is left out. */
export function checkConsent(draft: Draft, row: ImportRow, isRefused: Refusals["isRefused"]): void {
  const of = chooseAgreeing(row);
  const { consent } = draft[of];
  for (const channel of refusedChannels) {
    if (consent[channel]?.consent_given !== true || !isRefused(draft, channel)) continue;
    delete consent[channel];
    if (row.refusals === "skip") continue;
    addFault(draft, of, `consent.${channel}`, "refused", "The address refuses this channel.");
  }
}
