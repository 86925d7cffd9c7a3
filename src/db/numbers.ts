/** How many records of a kind a company may have: those that people make by hand, and that work follows from. */
import { fieldError, invalid, type Problem } from "../core/errors.ts";
import { guardThat, type Statement } from "../platform/database/database.ts";
import { bounded, identifier, sql } from "./statements.ts";

/** By table. `at`: the member of the body that the refusal names. */
export const numbers = {
  applications: { most: 1_000, at: "name", what: "applications" },
  automated_communications: { most: 1_000, at: "name", what: "automated communications" },
  campaigns: { most: 20_000, at: "name", what: "campaigns" },
  folders: { most: 20_000, at: "name", what: "folders" },
  groups: { most: 5_000, at: "name", what: "groups" },
  indicator_sets: { most: 5_000, at: "name", what: "indicator sets" },
  lead_types: { most: 1_000, at: "name", what: "lead types" },
  product_categories: { most: 5_000, at: "name", what: "categories" },
  ranks: { most: 1_000, at: "name", what: "ranks" },
  relations_paths: { most: 1_000, at: "name", what: "relations paths" },
  roles: { most: 1_000, at: "name", what: "roles" },
  saved_filters: { most: 20_000, at: "name", what: "views and saved filters" },
  scheduled_reports: { most: 1_000, at: "name", what: "scheduled reports" },
  templates: { most: 5_000, at: "title", what: "templates" },
} as const;

export type Numbered = keyof typeof numbers;

const prefix = "number_of_";

/** Refuses the batch of a new record when the company has as many as it may; `commit` then throws 422 `max`. */
export function guardNumberOf(table: Numbered, companyId: number): Statement {
  const { most } = numbers[table];
  return guardThat(
    `${prefix}${table}`,
    sql`(select count(*) from (select 1 from ${identifier(table)} where company_id = ${companyId}
      limit ${bounded(most)})) < ${most}`,
  );
}

/** Returns the error of a batch that `guardNumberOf` refused; null for other guards. */
export function tooManyOf(guard: string): Problem | null {
  if (!guard.startsWith(prefix)) return null;
  const { most, at, what } = numbers[guard.slice(prefix.length) as Numbered];
  return invalid(fieldError(at, "max", `At most ${most} ${what} of a company.`));
}
