/** Reads the body of a lead: the records that it names, and the account and contact that it embeds. */
import { type Caller, seesOwned } from "../../core/access.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import { type AccountFacts, listAccountValues } from "../../customers/accounts/present.ts";
import { readVisibleAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { readVisibleContact, selectContactById } from "../../customers/contacts/queries.ts";
import { repeatsConsent } from "../../customers/contacts/record.ts";
import { checkNamed } from "../../customers/contacts/write.ts";
import type { UserAuthor } from "../../db/commit.ts";
import { checkValues } from "../../db/custom_values.ts";
import type { Fields, FieldSet } from "../../fields/field_sets.ts";
import { sql } from "../../db/statements.ts";
import {
  type FieldsBody,
  type GivenFields,
  isRefused,
  mergeCustom,
  readFields,
  valueAt,
  writeExample,
} from "../../fields/values.ts";
import { selectTeamJson, type TeamFacts } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { selectLeadTypeJson } from "../lead_types/queries.ts";
import { selectProductIdsJson } from "../products/queries.ts";
import { type CachedLeadType, parseCachedType } from "./cached_lead_types.ts";
import { chooseConsent } from "./present.ts";
import { type Embedded, embeddedChannels, type EmbeddedContact } from "./parts.ts";
import type { LeadBody } from "./schema.ts";

interface Ids {
  readonly lead_type_id?: string | undefined;
  readonly team_id?: number | null | undefined;
  readonly agency_team_id?: number | null | undefined;
  readonly account_id?: string | null | undefined;
  readonly contact_id?: string | null | undefined;
  readonly product_ids?: readonly string[] | null | undefined;
}

/** The records that a request names. Null if it names none, or one that the caller may not use. */
export interface NamedRecords {
  readonly type: CachedLeadType | null;
  readonly team: TeamFacts | null;
  readonly account: AccountFacts | null;
  readonly contact: ContactFacts | null;
}

const team = selectTeamJson(sql`given.team`);

/** SQL: columns with the records that a request names, by the ids in the row `given`. */
const named = sql`${selectLeadTypeJson(sql`given.type`)} as type_json, ${team} as team_json,
  (select t.id from teams t where t.id = given.agency and t.company_id = given.company) as agency,
  ${selectProductIdsJson(sql`given.company`, sql`given.products`)} as products`;

/** The reads of `readNamedRecords`: one, and one each for an account and a contact that the request names. */
export function selectNamedRecords({ caller: { companyId } }: UserAuthor, ids: Ids): Statement[] {
  const { lead_type_id = null, team_id = null, agency_team_id = null, product_ids } = ids;
  const products = product_ids?.length ? JSON.stringify(product_ids) : null;
  return [
    sql`select ${named} from (select ${companyId} as company, ${lead_type_id} as type, ${team_id} as team,
      ${agency_team_id} as agency, ${products} as products) given`,
    ...(ids.account_id ? [selectAccountById(companyId, ids.account_id)] : []),
    ...(ids.contact_id ? [selectContactById(companyId, ids.contact_id)] : []),
  ];
}

/**
 * The references that the lead already has. They stay allowed, even if the type was disabled or a product
 * deleted since.
 */
interface PresentReferences {
  readonly type: string;
  readonly product_ids: readonly string[];
}

/** Returns the records. Adds an error for each id that the caller may not use, unless it is in `present`. */
export function readNamedRecords(
  ctx: UserAuthor,
  ids: Ids,
  results: readonly Result[],
  errors: FieldError[],
  present: PresentReferences | null = null,
): NamedRecords {
  const { type_json, team_json, agency, products } = results[0]!.rows[0]!;
  const missing = (path: string, what: string) => void errors.push(missingReference(path, what));
  const { companyId } = ctx.caller;

  const read = typeof type_json === "string" ? parseCachedType(type_json) : null;
  const type = read && read.record.company_id === companyId && seesOwned(ctx.caller, read.record)
    ? read
    : null;
  if (ids.lead_type_id && !type) missing("lead_type_id", "lead type");
  if (type?.record.disabled === 1 && type.record.id !== present?.type) {
    errors.push(fieldError("lead_type_id", "exists", "The lead type is disabled: it takes no new leads."));
  }
  const found = typeof team_json === "string" ? JSON.parse(team_json) as TeamFacts : null;
  const team = found && found.company_id === companyId && takesLeads(ctx.caller, found) ? found : null;
  if (ids.team_id && !team) missing("team_id", "team");
  if (ids.agency_team_id && agency === null) missing("agency_team_id", "team");
  const account = ids.account_id ? readVisibleAccount(ctx, results[1]!) : null;
  if (ids.account_id && !account) missing("account_id", "account");
  const contact = ids.contact_id ? readVisibleContact(ctx, results.at(-1)!) : null;
  const otherAccount = contact && account && contact.account_id !== account.id;
  if (ids.contact_id && (!contact || otherAccount)) missing("contact_id", "contact of the account");
  const usable = new Set([...JSON.parse(products as string) as string[], ...present?.product_ids ?? []]);
  ids.product_ids?.forEach((id, index) => {
    if (!usable.has(id)) missing(`product_ids[${index}]`, "product");
  });
  return { type, team, account, contact };
}

/** Whether the caller may give leads to the team: to a dealer team, or to one of its own. */
export function takesLeads(caller: Caller, team: TeamFacts): boolean {
  return team.team_type === "dealer" || (team.id !== null && caller.teamIds.includes(team.id));
}

/** The records that a lead shows with the embedded data. */
interface Shown {
  readonly account: AccountFacts | null;
  readonly contact: ContactFacts | null;
}

/**
 * Merges the given account and contact into the embedded ones of the lead; null embeds nothing. What only repeats what
 * the lead shows of its existing records is not embedded, so that it replaces nothing later. Faults go to `errors`.
 */
export function readEmbedded(
  { account, contact }: Pick<LeadBody, "account" | "contact">,
  before: Embedded,
  { fields, shown }: { readonly fields: Fields; readonly shown: Shown },
  errors: FieldError[],
): Embedded {
  const own = {
    account: shown.account && { fixed: listAccountValues(shown.account), custom: shown.account.custom },
    contact: shown.contact && { fixed: { ...shown.contact }, custom: shown.contact.custom },
  };
  const consents = (given: NonNullable<LeadBody["contact"]>["consent"]) =>
    mergeConsent(given, before.contact, shown.contact);
  return {
    account: account === undefined ? before.account : account && mergeFields(
      account,
      { embedded: before.account, shown: own.account },
      { fields: fields.account, path: "account.", errors },
    ),
    contact: contact === undefined ? before.contact : contact && {
      ...mergeFields(
        contact,
        { embedded: before.contact, shown: own.contact },
        { fields: fields.contact, path: "contact.", errors },
      ),
      consent: consents(contact.consent),
    },
  };
}

/** Values of an existing record: fixed ones by name; custom ones as JSON, by id. */
interface OwnValues {
  readonly fixed: Readonly<Record<string, unknown>>;
  readonly custom: string;
}

/** Merges the given values, and checks that the record that an acceptance creates has room for all of them. */
function mergeFields(
  given: FieldsBody,
  before: { readonly embedded: Partial<GivenFields> | null; readonly shown: OwnValues | null },
  { fields, path, errors }: {
    readonly fields: FieldSet;
    readonly path: string;
    readonly errors: FieldError[];
  },
): GivenFields {
  const { embedded, shown } = before;
  const values = readFields(given, fields, path, errors);
  const fixed = { ...embedded?.fixed, ...pickNewValues(values.fixed, embedded?.fixed, shown?.fixed) };
  const stored = shown ? JSON.parse(shown.custom) : undefined;
  const custom = { ...embedded?.custom, ...pickNewValues(values.custom, embedded?.custom, stored) };
  if (given.custom_fields) {
    mergeCustom({}, values.custom, fields, valueAt(given, path), errors);
    checkValues(fields.custom, {}, custom, `${path}custom_fields`);
  }
  return { fixed, custom };
}

/** The values that do not only repeat what is shown of the existing record. */
function pickNewValues<V>(
  given: Readonly<Record<string, V>>,
  embedded: Readonly<Record<string, unknown>> = {},
  shown?: Readonly<Record<string, unknown>>,
): Record<string, V> {
  const isNew = (name: string, value: V) =>
    !shown || Object.hasOwn(embedded, name) || JSON.stringify(value) !== JSON.stringify(shown[name] ?? null);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => isNew(name, value)));
}

/** Null removes an embedded consent; a `consent_given` of null is embedded. */
function mergeConsent(
  given: NonNullable<LeadBody["contact"]>["consent"],
  before: EmbeddedContact | null,
  existing: ContactFacts | null,
): EmbeddedContact["consent"] {
  if (given === null) return {};
  const after: Partial<Record<string, { consent_given: boolean | null }>> = { ...before?.consent };
  for (const channel of embeddedChannels) {
    const wanted = given?.[channel];
    if (repeatsConsent(wanted, chooseConsent(before, existing, channel))) continue;
    if (wanted === null) delete after[channel];
    else if (wanted?.consent_given !== undefined) after[channel] = { consent_given: wanted.consent_given };
  }
  return after;
}

interface Parties extends Embedded {
  readonly b2c: boolean;
  readonly account_id: string | null;
  readonly contact_id: string | null;
}

function isUnnamed(account: Readonly<Record<string, unknown>>): boolean {
  return !account.name && !isRefused(account, "name");
}

const unnamedAccount = fieldError(
  "account.fixed_fields",
  "required",
  `An account needs a name. ${writeExample({ name: "Ada Ltd" })}`,
);

/**
 * A lead names an existing account or embeds one, and likewise its contact. A named record must keep its required
 * values once the embedded data is merged.
 */
export function checkParties(
  { b2c, account_id, account, contact_id, contact }: Parties,
  named: Pick<NamedRecords, "account" | "contact">,
  errors: FieldError[],
): void {
  if (account_id === null) {
    if (account === null) {
      errors.push(fieldError("account", "required", "Required without account_id."));
    } else if (!b2c && isUnnamed(account.fixed) && contact_id === null) {
      errors.push(unnamedAccount);
    }
  } else if (named.account?.b2c === 0 && account && isUnnamed({ ...named.account, ...account.fixed })) {
    errors.push(unnamedAccount);
  }
  if (contact_id === null) {
    if (contact === null) {
      errors.push(fieldError("contact", "required", "Required without contact_id."));
    } else checkNamed(contact.fixed, "contact.", errors);
  } else if (named.contact && contact) {
    checkNamed({ ...named.contact, ...contact.fixed }, "contact.", errors);
  }
}
