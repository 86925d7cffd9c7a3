/** Reads of companies. */
import { columnsOf, rawSql, sql } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import { companies, type CompanyRow } from "./table.ts";

export type CompanyFacts = CompanyRow;

/** The company, unless it is deleted; read with `readCompany`. */
export function companyById(id: number): Statement {
  return sql`select ${
    rawSql(columns)
  } from companies company where company.id = ${id} and company.deleted_at is null`;
}

const columns = columnsOf(companies, "company");

export function readCompany(row: Row): CompanyFacts {
  return row as CompanyFacts;
}
