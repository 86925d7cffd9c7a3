/** What a view shows: the parameters of its list, checked as the list would, and a filter. */
import { type FieldError, fieldError, invalid, Problem } from "../../core/errors.ts";
import { AccountListQuery } from "../../customers/accounts/list_query.ts";
import { ContactListQuery } from "../../customers/contacts/list_query.ts";
import { deprecation, readFilter } from "../../customers/filter_catalogue.ts";
import type { Content, GivenContent, Parameters } from "../../customers/saved_filters/change_view.ts";
import { chooseKindOfView, isFiltered } from "../../customers/saved_filters/kinds.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import type { Context } from "../../db/context.ts";
import { listIgnoredParameters } from "../../http/ignored_members.ts";
import { parseValid } from "../../http/validate.ts";
import { CaseListQuery } from "../../sales/cases/list_schema.ts";
import { LeadListQuery } from "../../sales/leads/list_schema.ts";
import { TaskListQuery } from "../../sales/tasks/schema.ts";

const lists = {
  lead: LeadListQuery,
  case: CaseListQuery,
  task: TaskListQuery,
  account: AccountListQuery,
  contact: ContactListQuery,
} as const;

/** Throws 422 with every fault of the parameters and the filter. */
export function readContent(
  ctx: Context,
  { entity, query, filter }: GivenContent,
  contributions: readonly Contribution[],
): Content {
  const faults: FieldError[] = [];
  const known = faultsTo(faults, () => parseValid(lists[entity], formatParameters(query), "query"));
  const unknown = listIgnoredParameters(lists[entity], undefined, query);
  faults.push(
    ...unknown.map((name) =>
      fieldError(`query.${name}`, "unknown_field", `The list of ${entity}s has no such parameter.`)
    ),
  );
  const read = filter === null ? null : faultsTo(faults, () => {
    if (isFiltered(entity)) return readFilter(ctx, { kind: entity, contributions }, filter);
    throw invalid(fieldError("filter", "excluded", "Only views of accounts and contacts have a filter."));
  });
  if (faults.length > 0) throw invalid(...faults);
  return {
    columns: {
      kind: chooseKindOfView(entity, read !== null),
      query: JSON.stringify(query),
      query_names: makeConditions(known ?? {}),
      filter: JSON.stringify(read?.given ?? null),
    },
    headers: read?.deprecated ? deprecation : {},
  };
}

/** Returns the parameters as an address has them. */
function formatParameters(query: Parameters): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(String) : String(value),
    ]),
  );
}

/** Returns the records that the parameters name as the conditions of a filter would, as JSON; null: none. */
function makeConditions({ teams, users }: { teams?: unknown; users?: unknown }): string | null {
  const named = Object.entries({ team_id: teams, user_id: users }).filter(([, ids]) => ids !== undefined)
    .map(([field, value]) => ({ field, operator: "in", value }));
  return named.length === 0 ? null : JSON.stringify(named);
}

/** Returns what `read` returns; its faults go to `faults`. */
function faultsTo<T>(faults: FieldError[], read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const found = error instanceof Problem ? error.more.errors : undefined;
    if (!found) throw error;
    faults.push(...found);
    return null;
  }
}
