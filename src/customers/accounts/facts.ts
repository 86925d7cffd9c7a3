/** Facts of accounts: their creation, their deletion, and their user and team. */
import { customerFlags } from "../../core/fact_kinds.ts";
import {
  anyChanged,
  companyStays,
  type Dims,
  factNow,
  type FactSql,
  makeFactTrigger,
  toEpochSeconds,
} from "../../facts/facts.ts";
import type { SchemaObject } from "../../db/triggers.ts";

const { created, deleted, b2c } = customerFlags;

/** SQL: type and source of the lead whose acceptance created the row; null without such a lead. */
export function describeLeadDims(row: string): Dims {
  return {
    leadType: `${row}.created_with_lead_type_id`,
    leadSource: `${row}.created_with_lead_source`,
    fromLead: `(${row}.created_with_lead_type_id is not null)`,
  };
}

function describeAccountFact(row: "old" | "new", flags: number, fact: Partial<FactSql> = {}): FactSql {
  return {
    kind: "account",
    company: `${row}.company_id`,
    at: factNow,
    user: `${row}.user_id`,
    team: `${row}.team_id`,
    dims: describeLeadDims(row),
    flags: `iif(${row}.b2c = 1, ${b2c | flags}, ${flags})`,
    ...fact,
  };
}

const owned = ["user_id", "team_id", "b2c"];

export const accountFacts: readonly SchemaObject[] = [
  makeFactTrigger(
    "facts_account_created",
    "after insert on accounts when new.version = 1",
    describeAccountFact("new", created, { at: toEpochSeconds("new.created_at") }),
  ),
  // An account that comes back has an earlier version. It takes its deletion back, and is not new.
  makeFactTrigger(
    "facts_account_restored",
    "after insert on accounts when new.version > 1",
    describeAccountFact("new", deleted),
  ),
  makeFactTrigger(
    "facts_account_deleted",
    "after delete on accounts when old.counts = 1 and " + companyStays,
    describeAccountFact("old", deleted, { weight: "-1" }),
  ),
  // A large account counts as deleted as soon as lists hide it. The fact names the team that it then leaves.
  makeFactTrigger(
    "facts_account_withdrawn",
    "after update of counts on accounts when old.counts = 1 and new.counts = 0",
    describeAccountFact("old", deleted, { weight: "-1" }),
  ),
  makeFactTrigger(
    "facts_account_changed",
    `after update of ${owned.join(", ")} on accounts when ${anyChanged(owned)} and new.counts = 1`,
    describeAccountFact("old", 0, { weight: "-1" }),
    describeAccountFact("new", 0),
  ),
];
