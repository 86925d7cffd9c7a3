/** Consents of rows: none lifts the refusal of an address. */
import { e164 } from "../../core/phone_numbers.ts";
import { refusedChannels } from "../../customers/refusals/reasons.ts";
import { addressOn, refusalHash, unsubscribedAmong } from "../../customers/refusals/refusals.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import type { Customers } from "./customers.ts";
import { addFault, type Draft, fixedValue } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

type Channel = typeof refusedChannels[number];

export interface Refusals {
  readonly isRefused: (draft: Draft, channel: Channel) => boolean;
  /** Refuses the commit when an address that agrees was refused since. */
  readonly guards: readonly Statement[];
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
  const channels = refusedChannels.filter((channel) =>
    drafts.some((draft) => draft[of].consent[channel]?.consent_given === true)
  );
  if (channels.length === 0) return { isRefused: () => false, guards: [] };
  const hashAddresses = (channel: Channel, values: readonly unknown[]): string[] =>
    values.flatMap((value) => {
      if (typeof value !== "string" || value.trim() === "") return [];
      const [email, number] = channel === "email"
        ? [value.trim(), null]
        : [null, e164(value.trim(), country)];
      const address = addressOn(channel, { company_id, email, e164: number });
      return address ? [refusalHash(deps, address)] : [];
    });
  // A row may match a contact that a row before it makes or changes: that has an address of the step, too.
  const contacts = of === "self" ? [...customers.contacts.values()] : [];
  const all = new Set(channels.flatMap((channel) => {
    const field = chooseField(channel);
    return hashAddresses(channel, [
      ...drafts.map((draft) => fixedValue(draft[of], field)),
      ...contacts.map((contact) => contact[field]),
    ]);
  }));
  const [found] = await db.read([unsubscribedAmong(company_id, [...all])]);
  const refused = new Set(found!.rows.map(({ hash }) => String(hash)));
  const allowed = [...all].filter((hash) => !refused.has(hash));
  return {
    isRefused(draft, channel) {
      // Most steps: their addresses are not hashed again.
      if (refused.size === 0) return false;
      const field = chooseField(channel);
      const known = of === "self" ? customers.findContacts(draft, row.match, country) : [];
      const values = [fixedValue(draft[of], field), ...known.map((contact) => contact[field])];
      return hashAddresses(channel, values).some((hash) => refused.has(hash));
    },
    guards: [guardThat("refusals", sql`not exists (${unsubscribedAmong(company_id, allowed)})`)],
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
