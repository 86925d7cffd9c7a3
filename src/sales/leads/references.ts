/** The records that the body of a lead names, as far as the caller may use them. */
import { type Caller, seesOwned } from "../../core/access.ts";
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { accountById, visibleAccount } from "../../customers/accounts/queries.ts";
import type { ContactFacts } from "../../customers/contacts/present.ts";
import { contactById, visibleContact } from "../../customers/contacts/queries.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { type TeamFacts, teamJson } from "../../identity/teams/queries.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { productIdsJson } from "../products/queries.ts";
import { leadTypeJson } from "../lead_types/queries.ts";
import { type CachedLeadType, cachedLeadType } from "./record.ts";

interface Ids {
  readonly lead_type_id?: string | undefined;
  readonly team_id?: number | null | undefined;
  readonly agency_team_id?: number | null | undefined;
  readonly account_id?: string | null | undefined;
  readonly contact_id?: string | null | undefined;
  readonly product_ids?: readonly string[] | null | undefined;
}

/** Null where the request names none, or a record that the caller may not use. */
export interface References {
  readonly type: CachedLeadType | null;
  readonly team: TeamFacts | null;
  readonly account: AccountFacts | null;
  readonly contact: ContactFacts | null;
}

/** SQL: the records that each request names, over its ids in a row `given`. */
const named = sql`${leadTypeJson(sql`given.type`)} as type_json, ${teamJson(sql`given.team`)} as team_json,
  (select t.id from teams t where t.id = given.agency and t.company_id = given.company) as agency,
  ${productIdsJson(sql`given.company`, sql`given.products`)} as products`;

/** The reads of `readReferences`: one, and one each for an account and a contact that the request names. */
export function referencesOf({ caller: { companyId } }: Context, ids: Ids): Statement[] {
  const { lead_type_id = null, team_id = null, agency_team_id = null, product_ids } = ids;
  const products = product_ids?.length ? JSON.stringify(product_ids) : null;
  return [
    sql`select ${named} from (select ${companyId} as company, ${lead_type_id} as type, ${team_id} as team,
      ${agency_team_id} as agency, ${products} as products) given`,
    ...(ids.account_id ? [accountById(companyId, ids.account_id)] : []),
    ...(ids.contact_id ? [contactById(companyId, ids.contact_id)] : []),
  ];
}

/** The references that the lead already has: its type may be disabled since, its products deleted. */
interface PresentReferences {
  readonly type: string;
  readonly product_ids: readonly string[];
}

/** The records. An id that the caller may not use, and that is not `present`, goes to `errors`. */
export function readReferences(
  ctx: Context,
  ids: Ids,
  results: readonly Result[],
  errors: FieldError[],
  present: PresentReferences | null = null,
): References {
  const { type_json, team_json, agency, products } = results[0]!.rows[0]!;
  const missing = (path: string, what: string) => void errors.push(missingReference(path, what));
  const { companyId } = ctx.caller;

  const read = typeof type_json === "string" ? cachedLeadType(type_json) : null;
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
  const account = ids.account_id ? visibleAccount(ctx, results[1]!) : null;
  if (ids.account_id && !account) missing("account_id", "account");
  const contact = ids.contact_id ? visibleContact(ctx, results.at(-1)!) : null;
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
