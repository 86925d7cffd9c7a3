import { insert, update } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { CompanyFacts } from "./queries.ts";
import { companies } from "./table.ts";

/** Inserts the company with the id in `company`. */
export function insertCompany(company: CompanyFacts): Statement {
  return insert(companies, company);
}

/** Updates the company (without `set`: its version). Refuses the batch if it has changed since the read. */
export function changeCompany(
  read: Pick<CompanyFacts, "id" | "version">,
  set: Partial<CompanyFacts> = {},
): Statement[] {
  return [
    update(companies, { ...set, version: read.version + 1 }, { id: read.id, version: read.version }, read),
    guardChanged("stale"),
  ];
}

/** Returns the value after an update: `before` for an absent value, `cleared` for null. */
export function applyGiven<T>(given: T | null | undefined, before: T, cleared: T): T {
  return given === undefined ? before : given ?? cleared;
}

/** Returns the object's value at the key; undefined for an absent object, null for null. */
export function getMember<K extends string, V>(
  given: { readonly [key in K]?: V } | null | undefined,
  key: K,
): V | null | undefined {
  return given === null ? null : given?.[key];
}
