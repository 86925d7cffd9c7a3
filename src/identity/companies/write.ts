import { insert, update } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { CompanyFacts } from "./queries.ts";
import { companies } from "../tables/companies.ts";

/** Creates the company, with the id that it has. */
export function insertCompany(company: CompanyFacts): Statement {
  return insert(companies, company);
}

/** Changes the company, or only its version, unless it has changed since it was read. */
export function changeCompany(
  read: Pick<CompanyFacts, "id" | "version">,
  set: Partial<CompanyFacts> = {},
): Statement[] {
  return [
    update(companies, { ...set, version: read.version + 1 }, { id: read.id, version: read.version }),
    guardChanged("stale"),
  ];
}

/** An absent value keeps the one before; null resets it. */
export function kept<T>(given: T | null | undefined, before: T, cleared: T): T {
  return given === undefined ? before : given ?? cleared;
}

/** The one value of an object: undefined without the object, null when the object is null. */
export function inside<K extends string, V>(
  given: { readonly [key in K]?: V } | null | undefined,
  key: K,
): V | null | undefined {
  return given === null ? null : given?.[key];
}
