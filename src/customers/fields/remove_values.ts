/** Removes the values of a deleted field from customers, and their words from the full-text index. */
import type { CompanyFields } from "../../fields/field_sets.ts";
import { identifier, type Sql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { FieldValueOwner } from "./deleted_fields.ts";

/** A kind of customer whose words are in a full-text index. */
interface Searched<Facts> {
  /** The kind of record, which is also the alias in `columns` and `joins`. */
  readonly owner: "account" | "contact";
  readonly table: string;
  readonly columns: Sql;
  readonly joins: Sql;
  readonly read: (row: Row) => Facts;
  /** Puts the words of a record into the index. */
  readonly index: (record: Facts, fields: CompanyFields) => Statement;
}

export function describeSearchedValues<Facts extends { readonly custom: string }>(
  { owner, table, columns, joins, read, index }: Searched<Facts>,
): FieldValueOwner {
  return {
    owner,
    table,
    key: "seq",
    reads: (keys) => [
      sql`select ${columns} from ${identifier(table)} ${identifier(owner)} ${joins}
        where ${identifier(owner, "seq")} in (${keys})`,
    ],
    words: (fields, [found], dropped) =>
      found!.rows.map(read).map((record) =>
        index({ ...record, custom: JSON.stringify(dropped(JSON.parse(record.custom))) }, fields)
      ),
  };
}
