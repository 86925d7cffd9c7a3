/** The display name of an account. Searches, sort orders and filters use it too. */
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { AccountRow } from "./record.ts";

interface Names {
  /** The account's own name. */
  readonly name: string | null;
  /** The name of the contact in a consumer's account; null for other accounts. */
  readonly contact_name: string | null;
}

/** Returns the account's own name, or else its `contact_name`; null without either. */
export function displayName({ name, contact_name }: Names): string | null {
  return name ?? (contact_name?.trim() || null);
}

/** SQL: the `contact_name` of the account of an alias. */
export function selectShownName(account: string): Sql {
  return sql`case when ${identifier(account, "b2c")} = 1 then ${selectContactName(identifier(account, "id"))}
    end`;
}

/** SQL: the `contact_name` of the account of an id (an expression), which must be a consumer's account. */
export function selectContactName(id: Sql): Sql {
  return sql`(select trim(coalesce(c.first_name, '') || ' ' || coalesce(c.last_name, ''))
    from contacts c where c.account_id = ${id} limit 1)`;
}

/** SQL: `displayName` of the account of an alias. */
export function composeDisplayName(account: string): Sql {
  return sql`coalesce(${identifier(account, "name")}, nullif(${selectShownName(account)}, ''))`;
}

/** Whether the account has no name of its own and so shows its contact's. */
export function showsContact({ b2c, name }: Pick<AccountRow, "b2c" | "name">): boolean {
  return b2c === 1 && name === null;
}
