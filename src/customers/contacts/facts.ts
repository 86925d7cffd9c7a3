/** Facts of contacts: created, deleted, whose they are, what they lack, and their consents. */
import { customerFlags } from "../../core/fact_kinds.ts";
import { anyChanged, companyStays, factNow, type FactSql, factTrigger, secondsOf } from "../../db/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";
import { madeByLead } from "../accounts/facts.ts";

const { created, deleted } = customerFlags;

/** SQL: the flags of a contact. `address`: SQL of the address of its account. */
function flagsOf(row: string, address: string): string {
  const { b2c, noAddress, noEmail, noPhone, consentEmail, consentCall, consentLetter, consentSms } =
    customerFlags;
  const bits: readonly [string, number][] = [
    [`${row}.b2c = 1`, b2c],
    [`ifnull(${address}, '') = ''`, noAddress],
    [`ifnull(${row}.email, '') = ''`, noEmail],
    [`ifnull(${row}.phone_number, '') = ''`, noPhone],
    [`${row}.consent_email is 1`, consentEmail],
    [`${row}.consent_call is 1`, consentCall],
    [`${row}.consent_letter is 1`, consentLetter],
    [`${row}.consent_sms is 1`, consentSms],
  ];
  return bits.map(([holds, bit]) => `iif(${holds}, ${bit}, 0)`).join(" | ");
}

const addressOf = (row: string) => `(select a.address from accounts a where a.id = ${row}.account_id)`;

/** SQL: the team of its account; of an account that is being deleted, the team that it had. */
const teamOf = (row: string) =>
  `(select iif(a.counts = 1, a.team_id, ${row}.team_id) from accounts a where a.id = ${row}.account_id)`;

function contactFact(row: "old" | "new", flags: number, fact: Partial<FactSql> = {}): FactSql {
  return {
    kind: "contact",
    company: `${row}.company_id`,
    at: factNow,
    user: `${row}.user_id`,
    team: teamOf(row),
    dims: madeByLead(row),
    flags: `${flagsOf(row, addressOf(row))} | ${flags}`,
    ...fact,
  };
}

/** What a change of the account itself changes for all its contacts: one fact for those that are alike. */
function contactsOf(row: "old" | "new", fact: Partial<FactSql> = {}): FactSql {
  return {
    kind: "contact",
    company: "new.company_id",
    at: factNow,
    user: "c.user_id",
    team: `${row}.team_id`,
    dims: madeByLead("c"),
    flags: flagsOf("c", `${row}.address`),
    weight: "count(*)",
    from: "contacts c",
    where: "c.account_id = new.id",
    groupBy: `c.user_id, c.created_with_lead_type_id, c.created_with_lead_source, ${
      flagsOf("c", `${row}.address`)
    }`,
    ...fact,
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

const complete = "ifnull(new.email, '') <> '' and ifnull(new.phone_number, '') <> ''";

export const contactFacts: readonly SchemaObject[] = [
  factTrigger(
    "facts_contact_created",
    "after insert on contacts",
    contactFact("new", created, { at: secondsOf("new.created_at") }),
  ),
  factTrigger(
    "facts_contact_complete",
    `after insert on contacts when ${complete} and ifnull(${addressOf("new")}, '') <> ''`,
    { ...contactFact("new", 0, { at: secondsOf("new.created_at") }), kind: "contact_complete" },
  ),
  factTrigger(
    "facts_contact_deleted",
    "after delete on contacts when " + companyStays,
    contactFact("old", deleted, { weight: "-1" }),
  ),
  factTrigger(
    "facts_contact_changed",
    `after update of ${own.join(", ")} on contacts when ${changed}`,
    contactFact("old", 0, { weight: "-1" }),
    contactFact("new", 0),
  ),
  factTrigger(
    "facts_contacts_of_account_changed",
    `after update of team_id, address on accounts when new.counts = 1 and (${
      anyChanged(["team_id"])
    } or (ifnull(old.address, '') = '') <> (ifnull(new.address, '') = ''))`,
    contactsOf("old", { weight: "-count(*)" }),
    contactsOf("new"),
  ),
];
