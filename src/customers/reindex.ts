/** What accounts and contacts keep for search, filters and refusals, computed again. */
import type { FieldAuthor } from "../db/commit.ts";
import { reindexValues } from "../db/custom_values.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import { changeForms, type Reindexed } from "../staged/reindex.ts";
import { accountColumns, accountJoins, readAccountRow } from "./accounts/present.ts";
import { indexAccountWords, makeAccountKeys } from "./accounts/search_index.ts";
import { contactColumns, type ContactFacts, contactJoins, readContactRow } from "./contacts/present.ts";
import { indexContactWords, makeContactKeys } from "./contacts/search_index.ts";
import { refusedChannels } from "./refusals/reasons.ts";
import { applyKnownRefusals, findAddress, refuseAddress } from "./refusals/refusals.ts";

export const reindexedAccounts: Reindexed = {
  table: "accounts",
  select: { columns: accountColumns, joins: accountJoins, alias: "account" },
  write: (author, rows) => [
    ...changeForms("accounts", rows, (row) => ({ ...makeAccountKeys(readAccountRow(row)) })),
    ...changeToComposedIds("accounts", rows),
    ...rows.map((row) => indexAccountWords(readAccountRow(row), author.fields)),
    ...reindexValues(author.fields.all.account.custom, rows),
  ],
};

export const reindexedContacts: Reindexed = {
  table: "contacts",
  select: { columns: contactColumns, joins: contactJoins, alias: "contact" },
  write: (author, rows) => [
    ...changeForms("contacts", rows, (row) => ({ ...makeContactKeys(readContactRow(row), author.fields) })),
    ...changeToComposedIds("contacts", rows),
    ...rows.map((row) => indexContactWords(readContactRow(row), author.fields)),
    ...reindexValues(author.fields.all.contact.custom, rows),
    ...rows.flatMap((row) => applyRefusals(author, readContactRow(row))),
  ],
};

/** External ids compare in Unicode's composed form. One that another record has in that form stays. */
function changeToComposedIds(table: string, rows: readonly Row[]): Statement[] {
  const external = rows.filter(({ external_id }) => external_id !== null);
  return changeForms(
    table,
    external,
    (row) => ({ external_id: String(row.external_id).normalize("NFC") }),
    true,
  );
}

/**
 * Applies refusals to the new forms of a contact's addresses, and keeps that of a contact that unsubscribed before
 * they were kept with addresses.
 */
function applyRefusals({ deps, at, fields }: FieldAuthor, before: ContactFacts): Statement[] {
  const contact = { ...before, ...makeContactKeys(before, fields) };
  const { company_id, email, consent_email, consent_email_at } = contact;
  const isNew = contact.e164 !== before.e164 || contact.folded !== before.folded;
  const addresses = isNew ? refusedChannels.map((channel) => findAddress(channel, contact)) : [];
  return [
    ...addresses.flatMap((address) => address ? [applyKnownRefusals(deps, address)] : []),
    ...(email && consent_email === 0
      ? [refuseAddress(deps, { company_id, email }, "unsubscribed", consent_email_at ?? at)]
      : []),
  ];
}
