/** Facts of leads: created, each transition, deleted, and the open ones. */
import { factKinds } from "../../core/fact_kinds.ts";
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
import { nextLeadStates, states } from "./lifecycle.ts";

/** SQL: the products of a lead as a sorted JSON list of ids. */
const products = (row: string) =>
  `(select json_group_array(p.id) from (select value as id from json_each(${row}.product_ids) order by 1) p)`;

/** SQL: the properties of facts about a lead, with its agency: its users count them in every team. */
function describeLeadDims(row: string): Dims {
  return {
    leadType: `${row}.lead_type_id`,
    leadSource: `${row}.lead_source`,
    fromLead: "1",
    products: products(row),
    agency: `${row}.agency_team_id`,
  };
}

/** The states in which a lead can be updated. */
const open = states.filter((state) => nextLeadStates[state].update !== undefined).map((state) => `'${state}'`)
  .join(
    ", ",
  );

/**
 * The facts of an open lead. It is open until it expires, and its row need not change then, so the end is
 * recorded in advance.
 */
function openFacts(row: "old" | "new", at: string, sign: 1 | -1): FactSql[] {
  const fact: FactSql = {
    kind: "lead_open",
    company: `${row}.company_id`,
    at,
    user: `${row}.user_id`,
    team: `${row}.team_id`,
    dims: describeLeadDims(row),
    weight: String(sign),
    where: `${row}.state in (${open}) and ${row}.deleted_at is null`,
  };
  return [fact, {
    ...fact,
    at: `max(${at}, ${toEpochSeconds(`${row}.expires_at`)})`,
    weight: String(-sign),
    where: `${fact.where} and ${row}.expires_at is not null`,
  }];
}

const transition: Omit<FactSql, "kind"> = {
  company: "l.company_id",
  at: toEpochSeconds("new.at"),
  user: "new.user_id",
  team: "new.team_id",
  dims: describeLeadDims("l"),
  subject: "l.id",
  from: "leads l",
  where: "l.id = new.lead_id",
};
const composeWhen = (kind: string) => `after insert on lead_transitions when new.kind = '${kind}'`;

/** SQL: the user who has accepted the lead since its last assignment, else the assigned one. */
const selectResponsible = (lead: string) =>
  `ifnull((select iif(t.kind = 'acception', t.user_id, null) from lead_transitions t where t.lead_id = ${lead}.id\n` +
  `    and t.kind in ('assignment', 'acception') order by t.id desc limit 1), ${lead}.user_id)`;

const accepted: Omit<FactSql, "kind" | "dims"> = {
  company: transition.company,
  at: transition.at,
  user: transition.user,
  team: transition.team,
  subject: transition.subject,
  where: transition.where,
  value: `max(0, ${toEpochSeconds("new.at")} - ${toEpochSeconds("s.at")})`,
  from: "leads l left join lead_transitions s on s.id = (select max(t.id) from lead_transitions t\n" +
    "    where t.lead_id = new.lead_id and t.kind = 'assignment' and t.id < new.id)",
};

/** SQL: the properties of the assignment that is accepted. */
const assignmentDim =
  `(select f.dim_id from facts f where f.subject = l.id and f.kind = ${factKinds.lead_assigned}\n` +
  "    order by f.seq desc limit 1)";

const shown = [
  "state",
  "user_id",
  "team_id",
  "agency_team_id",
  "lead_type_id",
  "lead_source",
  "product_ids",
  "expires_at",
  "deleted_at",
];

export const leadFacts: readonly SchemaObject[] = [
  makeFactTrigger("facts_lead_created", "after insert on leads", {
    kind: "lead_created",
    company: "new.company_id",
    at: toEpochSeconds("new.created_at"),
    team: "new.team_id",
    dims: describeLeadDims("new"),
    subject: "new.id",
  }, ...openFacts("new", toEpochSeconds("new.created_at"), 1)),
  makeFactTrigger(
    "facts_lead_changed",
    `after update of ${shown.join(", ")} on leads when ${anyChanged(shown)}`,
    ...openFacts("old", factNow, -1),
    ...openFacts("new", factNow, 1),
  ),
  makeFactTrigger(
    "facts_lead_deleted",
    "after update of deleted_at on leads when old.deleted_at is null and new.deleted_at is not null",
    {
      kind: "lead_deleted",
      company: "new.company_id",
      at: toEpochSeconds("new.deleted_at"),
      user: selectResponsible("new"),
      team: "new.team_id",
      dims: describeLeadDims("new"),
      subject: "new.id",
    },
  ),
  makeFactTrigger(
    "facts_lead_removed",
    "after delete on leads when " + companyStays,
    ...openFacts("old", factNow, -1),
  ),
  makeFactTrigger("facts_lead_assigned", composeWhen("assignment"), {
    ...transition,
    kind: "lead_assigned",
  }),
  makeFactTrigger("facts_lead_accepted", composeWhen("acception"), {
    ...accepted,
    kind: "lead_accepted",
    dims: describeLeadDims("l"),
  }, {
    ...accepted,
    kind: "assignment_accepted",
    user: "s.user_id",
    team: "s.team_id",
    // The acceptance counts for the assignment: its properties are those of then, even if the lead has
    // changed since.
    dim: assignmentDim,
    where: "l.id = new.lead_id and s.id is not null",
  }),
  makeFactTrigger("facts_lead_rejected", composeWhen("rejection"), {
    ...transition,
    kind: "lead_rejected",
  }),
  makeFactTrigger("facts_lead_called", composeWhen("call"), {
    ...transition,
    kind: "lead_called",
  }),
  makeFactTrigger("facts_lead_escalated", composeWhen("escalation"), {
    ...transition,
    kind: "lead_escalated",
    user: selectResponsible("l"),
  }),
  makeFactTrigger("facts_lead_revoked", composeWhen("revocation"), {
    ...transition,
    kind: "lead_revoked",
    user: selectResponsible("l"),
  }),
  makeFactTrigger(
    "facts_lead_first_activity",
    "after update of first_activity_at on lead_transitions\n" +
      "    when old.first_activity_at is null and new.first_activity_at is not null",
    {
      ...transition,
      kind: "lead_first_activity",
      at: toEpochSeconds("new.first_activity_at"),
      value: `max(0, ${toEpochSeconds("new.first_activity_at")} - ${toEpochSeconds("new.at")})`,
    },
  ),
];
