/** What customers lose with a field: its values, and the words of those by which they were found. */
import { fieldsOfCompany } from "../../db/custom_values.ts";
import { type CompanyFields, companyFields } from "../../db/fields.ts";
import { rawSql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { FieldValueOwner } from "./deleted_fields.ts";

/** A kind of customer whose words are in a full-text index. */
interface Searched<Facts> {
  /** Also the alias that the columns and joins are over. */
  readonly owner: "account" | "contact";
  readonly table: string;
  readonly columns: string;
  readonly joins: string;
  readonly read: (row: Row) => Facts;
  /** Puts the words of a record into the index. */
  readonly index: (record: Facts, fields: CompanyFields) => Statement;
}

export function searchedFieldValues<Facts extends { readonly custom: string }>(
  { owner, table, columns, joins, read, index }: Searched<Facts>,
): FieldValueOwner {
  return {
    owner,
    table,
    key: "seq",
    reads: (owners, companyId) => [
      fieldsOfCompany(companyId),
      sql`select ${rawSql(columns)} from ${rawSql(table)} ${rawSql(owner)} ${rawSql(joins)} where ${
        rawSql(owner)
      }.seq in (select value from json_each(${owners}))`,
    ],
    words([defined, found], dropped) {
      const fields = companyFields(defined!.rows[0]?.fields as string | null ?? null, null);
      return found!.rows.map(read).map((record) =>
        index({ ...record, custom: JSON.stringify(dropped(JSON.parse(record.custom))) }, fields)
      );
    },
  };
}
