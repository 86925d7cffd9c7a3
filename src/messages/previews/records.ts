/** The facts of a preview: records that the body names, and the caller. */
import { type FieldError, fieldError, missingReference } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { readVisibleAccount, selectAccountById } from "../../customers/accounts/queries.ts";
import { readVisibleContact, selectContactById } from "../../customers/contacts/queries.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { productsOffered } from "../../sales/products/queries.ts";
import {
  organisationColumns,
  type OrganisationFacts,
  type ProductFacts,
  type UserFacts,
} from "../placeholders/catalogue.ts";
import type { Composing } from "../placeholders/compose.ts";
import type { Place } from "../placeholders/format.ts";
import type { PreviewBody } from "./schema.ts";

/** Reads what `readPreviewFacts` needs. */
export function selectPreviewFacts({ caller }: Context, body: PreviewBody): Statement[] {
  const { companyId, userId } = caller;
  const contact = body.contact_id ?? null;
  const account = body.account_id ?? null;
  const of = sql`(select account_id from contacts where id = ${contact} and company_id = ${companyId})`;
  return [
    selectContactById(companyId, contact),
    selectAccountById(companyId, sql`coalesce(${of}, ${account})`),
    sql`select first_name, last_name, email, phone_number, signature_email from users where id = ${userId}`,
    sql`select ${organisationColumns}, currency from companies where id = ${companyId}`,
    sql`select ${organisationColumns} from teams where id = (select team_id from contacts where id = ${contact}
      and company_id = ${companyId})`,
    productsOffered(companyId, body.product_ids ?? []),
  ];
}

/** Reads the results of `selectPreviewFacts`. Adds errors for records that do not exist or are not visible. */
export function readPreviewFacts(
  ctx: Context,
  body: PreviewBody,
  results: readonly Result[],
  errors: FieldError[],
): Composing["facts"] {
  const [contacts, accounts, users, companies, teams, products] = results;
  const contact = readVisibleContact(ctx, contacts!);
  const account = readVisibleAccount(ctx, accounts!);
  if (body.contact_id && !contact) errors.push(missingReference("contact_id", "contact"));
  else if (body.account_id && !account) errors.push(missingReference("account_id", "account"));
  else if (body.contact_id && body.account_id && account!.id !== body.account_id) {
    errors.push(fieldError("account_id", "exists", "Is not the account of the contact."));
  }
  const company = companies!.rows[0] as Row & OrganisationFacts & Place;
  const team = (teams!.rows[0] ?? null) as (Row & OrganisationFacts & Place) | null;
  const { locale, timezone } = team ?? company;
  return {
    now: ctx.now,
    place: { locale, timezone, currency: company.currency },
    contact,
    account,
    user: users!.rows[0] as (Row & UserFacts) | undefined ?? null,
    team,
    company,
    case: null,
    task: body.task
      ? {
        type: body.task.type ?? null,
        start_at: body.task.start_at ?? null,
        end_at: body.task.end_at ?? null,
      }
      : null,
    products: makeProductRows(body, products!, errors),
    unsubscribe_url: null,
  };
}

function makeProductRows(body: PreviewBody, found: Result, errors: FieldError[]): ProductFacts[] {
  const given = (body.products ?? []).map(({ name, quantity, type, price }) => ({
    name,
    quantity: quantity ?? 1,
    type: type ?? null,
    price: price ?? null,
    discount: null,
    comment: null,
  }));
  const byId = new Map(found.rows.map((row) => [row.id as string, row]));
  const listed = (body.product_ids ?? []).flatMap((id, index) => {
    const row = byId.get(id);
    if (!row) {
      errors.push(missingReference(`product_ids[${index}]`, "product"));
      return [];
    }
    const { name, type, list_price } = row as Row & {
      name: string;
      type: string | null;
      list_price: number | null;
    };
    return [{ name, quantity: 1, type, price: list_price, discount: null, comment: null }];
  });
  return [...given, ...listed];
}
