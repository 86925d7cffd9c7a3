/** SQL: the account or contact that a lead counts for, as indexes have it, word for word. */
export function partySql(alias: string | null, column: "account_id" | "contact_id"): string {
  const of = alias === null ? "" : `${alias}.`;
  return `case when ${of}${column} is null then ${of}original_${column} else ${of}${column} end`;
}
