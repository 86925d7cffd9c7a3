/** Facts of contacts: creation, deletion, user and team, missing data, and consents. */
import { customerFlags, factKinds } from "../../core/fact_kinds.ts";
import {
  anyChanged,
  companyStays,
  composeFact,
  factNow,
  type FactSql,
  makeFactTrigger,
  toEpochSeconds,
} from "../../facts/facts.ts";
import { type SchemaObject, trigger } from "../../db/triggers.ts";
import { describeLeadDims } from "../accounts/facts.ts";

const { created, deleted } = customerFlags;

const bit = ([holds, flag]: readonly [string, number]) => `iif(${holds}, ${flag}, 0)`;

const lacksAddress = (address: string) => [`ifnull(${address}, '') = ''`, customerFlags.noAddress] as const;

/** SQL: the flags of a contact. `address`: SQL of its account's address; if absent, omits `noAddress`. */
function selectFlags(row: string, address?: string): string {
  const { b2c, noEmail, noPhone, consentEmail, consentCall, consentLetter, consentSms } = customerFlags;
  const bits: readonly (readonly [string, number])[] = [
    [`${row}.b2c = 1`, b2c],
    ...address === undefined ? [] : [lacksAddress(address)],
    [`ifnull(${row}.email, '') = ''`, noEmail],
    [`ifnull(${row}.phone_number, '') = ''`, noPhone],
    [`${row}.consent_email is 1`, consentEmail],
    [`${row}.consent_call is 1`, consentCall],
    [`${row}.consent_letter is 1`, consentLetter],
    [`${row}.consent_sms is 1`, consentSms],
  ];
  return bits.map(bit).join(" | ");
}

const selectAddress = (row: string) => `(select a.address from accounts a where a.id = ${row}.account_id)`;

/** SQL: the team of the contact's account, or the contact's copy of it while the account is being deleted. */
const selectTeam = (row: string) =>
  `(select iif(a.counts = 1, a.team_id, ${row}.team_id) from accounts a where a.id = ${row}.account_id)`;

function describeContactFact(row: "old" | "new", flags: number, fact: Partial<FactSql> = {}): FactSql {
  return {
    kind: "contact",
    company: `${row}.company_id`,
    at: factNow,
    user: `${row}.user_id`,
    team: selectTeam(row),
    dims: describeLeadDims(row),
    flags: `${selectFlags(row, selectAddress(row))} | ${flags}`,
    ...fact,
  };
}

/**
 * The facts of all contacts of an account whose team or address changes. Groups the contacts by user, lead
 * and flags in one pass. Records two facts for each group: one subtracts it, the other adds it with the new
 * team and address. So even 10,000 contacts cause only as many facts as there are groups.
 */
function describeContactsMoved(): FactSql {
  const made = "c.created_with_lead_type_id, c.created_with_lead_source";
  const side = (row: "old" | "new", sign: number) =>
    `select ${row}.team_id as team_id, ${bit(lacksAddress(`${row}.address`))} as flags, ${sign} as sign`;
  return {
    kind: "contact",
    company: "new.company_id",
    at: factNow,
    user: "g.user_id",
    team: "s.team_id",
    dims: describeLeadDims("g"),
    dimsFrom: `(select distinct ${made} from contacts c where c.account_id = new.id) g`,
    flags: "g.flags | s.flags",
    weight: "g.n * s.sign",
    from: `(select c.user_id, ${made}, ${selectFlags("c")} as flags, count(*) as n from contacts c\n` +
      `      where c.account_id = new.id group by 1, 2, 3, 4) g\n` +
      `    cross join (${side("old", -1)} union all ${side("new", 1)}) s`,
  };
}

const own = [
  "account_id",
  "user_id",
  "b2c",
  "email",
  "phone_number",
  "consent_email",
  "consent_call",
  "consent_letter",
  "consent_sms",
];
const changed = [
  "old.account_id is not new.account_id",
  "old.user_id is not new.user_id",
  "old.b2c is not new.b2c",
  ...["email", "phone_number"].map((column) =>
    `(ifnull(old.${column}, '') = '') <> (ifnull(new.${column}, '') = '')`
  ),
  ...["email", "call", "letter", "sms"].map((channel) =>
    `(old.consent_${channel} is 1) <> (new.consent_${channel} is 1)`
  ),
].join(" or ");

const { noAddress, noEmail, noPhone } = customerFlags;

/**
 * SQL: copies the fact that the trigger has just recorded, as `contact_complete`, if nothing is missing.
 * Copying avoids the lookups of the fact, which take longer than both inserts.
 */
const completeToo =
  `insert into facts (company_id, kind, at, recorded_at, user_id, zone, team_id, dim_id, flags)
    select company_id, ${factKinds.contact_complete}, at, recorded_at, user_id, zone, team_id, dim_id, flags & ~${created}
    from facts where seq = last_insert_rowid() and flags & ${noAddress | noEmail | noPhone} = 0`;

export const contactFacts: readonly SchemaObject[] = [
  trigger(
    "facts_contact_created",
    "after insert on contacts when new.version = 1",
    ...composeFact(describeContactFact("new", created, { at: toEpochSeconds("new.created_at") })),
    completeToo,
  ),
  // A contact that comes back has an earlier version. It takes its deletion back, and is not new.
  makeFactTrigger(
    "facts_contact_restored",
    "after insert on contacts when new.version > 1",
    describeContactFact("new", deleted),
  ),
  makeFactTrigger(
    "facts_contact_deleted",
    "after delete on contacts when " + companyStays,
    describeContactFact("old", deleted, { weight: "-1" }),
  ),
  makeFactTrigger(
    "facts_contact_changed",
    `after update of ${own.join(", ")} on contacts when ${changed}`,
    describeContactFact("old", 0, { weight: "-1" }),
    describeContactFact("new", 0),
  ),
  makeFactTrigger(
    "facts_contacts_of_account_changed",
    `after update of team_id, address on accounts when new.counts = 1 and (${anyChanged(["team_id"])}` +
      " or (ifnull(old.address, '') = '') <> (ifnull(new.address, '') = ''))",
    describeContactsMoved(),
  ),
];
