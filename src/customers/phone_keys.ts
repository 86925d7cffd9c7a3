/** SQL about the keys by which phone numbers of contacts are compared. */
import { splitPhoneKeys } from "../core/phone_numbers.ts";
import { type Sql, sql } from "../db/statements.ts";

/**
 * SQL: a select of the keys that `keys` (of `makePhoneKeys`) stand for. Looks for a beginning among the numbers of the
 * company's contacts: each could have any of two hundred codes. A number with an extension is another one.
 */
export function selectPhoneKeys(keys: readonly string[], companyId: number): Sql {
  const { whole, begun } = splitPhoneKeys(keys);
  const written = sql`select value from json_each(${JSON.stringify(whole)})`;
  if (begun.length === 0) return written;
  // `,` follows `+`.
  return sql`${written} union all select k.phone_key from json_each(${JSON.stringify(begun)}) b
    cross join contacts k indexed by contacts_by_phone on k.company_id = ${companyId}
    and k.phone_key > b.value and k.phone_key < rtrim(b.value, '+') || ',' and instr(k.phone_key, 'x') = 0`;
}
