/** Reads of companies. */
import { statement } from "../../db/statements.ts";
import type { Row, Statement } from "../../platform/database/database.ts";
import type { CompanyRow } from "./table.ts";

export type CompanyFacts = CompanyRow;

/** The company, unless it is deleted; read with `readCompany`. */
export function companyById(id: number): Statement {
  return statement("select * from companies where id = ? and deleted_at is null", id);
}

export function readCompany(row: Row): CompanyFacts {
  return row as CompanyFacts;
}
