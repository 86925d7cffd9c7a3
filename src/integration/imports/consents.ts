/** Consents of rows: none lifts the refusal of an address. */
import { e164 } from "../../core/phone_numbers.ts";
import { refusedChannels } from "../../customers/refusals/reasons.ts";
import { addressOn, refusalHash, unsubscribedAmong } from "../../customers/refusals/refusals.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { Moment } from "../../staged/kind.ts";
import type { Customers } from "./customers.ts";
import { addFault, type Draft, fixedValue, type Part } from "./drafts.ts";
import type { ImportRow } from "./table.ts";

export interface Refusals {
  readonly isRefused: (draft: Draft, channel: typeof refusedChannels[number]) => boolean;
  /** Refuses the commit when an address that agrees was refused since. */
  readonly guards: readonly Statement[];
}

/** Whose consents the rows of an import have. */
function chooseAgreeing({ entity }: ImportRow): "contact" | "self" {
  return entity === "leads" ? "contact" : "self";
}

/** Reads which of the addresses that rows agree for have refused. */
export async function readRefusals(
  { db, deps }: Moment,
  row: ImportRow,
  { fields: { country } }: UserAuthor,
  drafts: readonly Draft[],
  customers: Customers,
): Promise<Refusals> {
  const { company_id } = row;
  const hashAddresses = (draft: Draft, channel: typeof refusedChannels[number]): string[] => {
    const self: Part = draft[chooseAgreeing(row)];
    const known = [
      ...(self.external_id ? [customers.contactWithExternalId(self.external_id)] : []),
    ].filter((contact) => contact !== null);
    const emails = [fixedValue(self, "email"), ...known.map(({ email }) => email)];
    const numbers = [fixedValue(self, "phone_number"), ...known.map(({ phone_number }) => phone_number)];
    const of = channel === "email" ? emails : numbers;
    return of.flatMap((value) => {
      if (typeof value !== "string" || value.trim() === "") return [];
      const [email, number] = channel === "email"
        ? [value.trim(), null]
        : [null, e164(value.trim(), country)];
      const address = addressOn(channel, { company_id, email, e164: number });
      return address ? [refusalHash(deps, address)] : [];
    });
  };
  const agreeing = drafts.flatMap((draft) =>
    refusedChannels.filter((channel) => draft[chooseAgreeing(row)].consent[channel]?.consent_given === true)
      .map((channel) => ({ draft, hashes: hashAddresses(draft, channel) }))
  );
  if (agreeing.length === 0) return { isRefused: () => false, guards: [] };
  const all = [...new Set(agreeing.flatMap(({ hashes }) => hashes))];
  const [found] = await db.read([unsubscribedAmong(company_id, all)]);
  const refused = new Set(found!.rows.map(({ hash }) => String(hash)));
  const allowed = all.filter((hash) => !refused.has(hash));
  return {
    isRefused: (draft, channel) => hashAddresses(draft, channel).some((hash) => refused.has(hash)),
    guards: [guardThat("refusals", sql`not exists (${unsubscribedAmong(company_id, allowed)})`)],
  };
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
