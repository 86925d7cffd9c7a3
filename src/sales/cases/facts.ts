/** Facts of cases: created, closed, declined, reopened; the open ones with their value; the lines that were sold. */
import { factKinds } from "../../core/fact_kinds.ts";
import {
  anyChanged,
  companyStays,
  composeFact,
  type Dims,
  factNow,
  makeFactTrigger,
  toEpochSeconds,
} from "../../facts/facts.ts";
import { type SchemaObject, trigger } from "../../db/triggers.ts";

/** SQL: the properties of facts about a case. `row` is a row or an alias. */
export function describeCaseDims(row: string): Dims {
  return {
    path: `${row}.relations_path_id`,
    leadType: `${row}.lead_type_id`,
    leadSource: `${row}.lead_source`,
    fromLead: `(${row}.lead_id is not null)`,
  };
}

/**
 * SQL: an amount without what binary fractions add to it: 7 × 0.70 is 4.90. Keeps more decimals than a
 * currency has, because sums are rounded to those once, at the end.
 */
const asDecimal = (amount: string) => `round(${amount}, 8)`;

/** SQL: the amount of the product line `l`. */
const lineAmount = asDecimal(
  "(l.value ->> 'quantity') * ifnull(l.value ->> 'price', 0) - ifnull(l.value ->> 'discount', 0)",
);

/** SQL: the value of the product lines of an activity. */
export function selectWorth(activity: string): string {
  return `select ${asDecimal(`sum(${lineAmount})`)}\n` +
    `    from json_each(${activity}.product_details) d, json_each(d.value, '$.products') l`;
}

/** SQL: a value weighted with a chance in percent. */
const weighValue = (value: string, chance: string) => asDecimal(`${value} * ${chance} / 100.0`);

const withProducts = (row: string): Dims => ({ ...describeCaseDims(row), products: `${row}.product_ids` });
const owner = { company: "new.company_id", user: "new.user_id", team: "new.team_id", subject: "new.id" };

/** SQL: the facts of a kind that a case has so far. */
const composeFacts = (kind: "case_open" | "case_owner" | "case_chance", row: "old" | "new") =>
  `facts f where f.subject = ${row}.id and f.kind = ${factKinds[kind]}`;

const effective = `max(f.at, ifnull(${toEpochSeconds("new.effective_at")}, ${factNow}))`;
const remains =
  "sum(f.weight) <> 0 or round(ifnull(sum(f.value), 0), 6) <> 0 or round(ifnull(sum(f.value2), 0), 6) <> 0";

/**
 * Takes back the facts of the open case from the moment of the change on, for the owners of that time. Facts
 * from before that moment stay.
 */
const takeBack =
  "insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)\n" +
  `    select new.company_id, ${factKinds.case_open}, ${effective}, ${factNow}, f.user_id, f.team_id, f.dim_id, new.id,\n` +
  `    -sum(f.weight), -sum(f.value), -sum(f.value2) from ${composeFacts("case_open", "new")}\n` +
  `    group by ${effective}, f.user_id, f.team_id, f.dim_id having ${remains}`;

/**
 * SQL: the value of the case's latest offer until a moment. `until` compares the time of the offer, such as
 * `<=`. Reads the index of the case's activities by time.
 */
const worthUntil = (until: "<=" | "<") =>
  `ifnull((select ${asDecimal(`sum(${lineAmount})`)}\n` +
  "    from (select o.product_details from activities o where o.case_id = new.id and +o.product_details <> '[]'\n" +
  `    and o.created_at ${until} datetime(b.at, 'unixepoch') order by o.created_at desc, o.id desc limit 1) a,\n` +
  "    json_each(a.product_details) d, json_each(d.value, '$.products') l), 0)";

/** SQL: 1 if an owner has the case at a moment, else 0. */
const composeOwnedUntil = (until: string) =>
  `ifnull((select sum(f.weight) from ${composeFacts("case_owner", "new")} and f.user_id is g.user_id\n` +
  `    and f.team_id is g.team_id and f.at ${until}), 0)`;

/** SQL: when each product of the case was first offered, as JSON. */
const firstOffers =
  "(select ifnull(json_group_object(q.id, q.at), '{}') as firsts from (select l.value ->> 'id' as id,\n" +
  `    min(${toEpochSeconds("o.created_at")}) as at from activities o, json_each(o.product_details) d,\n` +
  "    json_each(d.value, '$.products') l where o.case_id = new.id and o.product_details <> '[]' group by 1) q)";

/** SQL: the products of the offers of the case until a moment, sorted. */
const composeOfferedUntil = (until: string) =>
  `(select json_group_array(p.id) from (select x.key as id from json_each(w.firsts) x where x.value ${until}\n` +
  "    order by 1) p)";

/** SQL: the chance of the case at a moment: the value of the last recorded change until then. */
const chanceUntil = (until: string) => {
  const chances = composeFacts("case_chance", "new");
  return `ifnull((select f.value from ${chances} and f.at ${until} order by f.seq desc limit 1),\n` +
    "    new.chance_of_success)";
};

/** SQL: 1 if the case is open at a moment, else 0: by the last recorded change of status until then. */
const isOpen = (until: string) =>
  "(ifnull((select h.to_status from case_status_changes h where h.case_id = new.id\n" +
  `    and ${toEpochSeconds("h.at")} ${until} order by h.id desc limit 1),\n` +
  "    ifnull((select h.from_status from case_status_changes h where h.case_id = new.id order by h.id limit 1),\n" +
  "    new.status)) = 'open')";

const from = `ifnull(${toEpochSeconds("new.effective_at")}, ${factNow})`;

const changedAt = toEpochSeconds("h.at");

/**
 * SQL: a row for each owner and each moment at which the case changed: whether the owner had the open case at
 * this moment (`n`) and just before it (`n_before`), with the value, products and chance of both.
 */
const owned = "(select b.at, g.user_id, g.team_id,\n" +
  `    ${isOpen("<= b.at")} * ${composeOwnedUntil("<= b.at")} as n,\n` +
  `    iif(b.at = ${from}, 0, ${isOpen("< b.at")} * ${composeOwnedUntil("< b.at")}) as n_before,\n` +
  `    ${worthUntil("<=")} as v, ${worthUntil("<")} as v_before,\n` +
  `    ${composeOfferedUntil("<= b.at")} as p, ${composeOfferedUntil("< b.at")} as p_before,\n` +
  `    ${chanceUntil("<= b.at")} as c, ${chanceUntil("< b.at")} as c_before\n` +
  `    from (select max(f.at, ${from}) as at from ${composeFacts("case_owner", "new")}\n` +
  `    union select max(${toEpochSeconds("o.created_at")}, ${from}) from activities o\n` +
  "    where o.case_id = new.id and o.product_details <> '[]'\n" +
  `    union select max(${changedAt}, ${from}) from case_status_changes h where h.case_id = new.id\n` +
  `    union select max(f.at, ${from}) from ${composeFacts("case_chance", "new")}) b,\n` +
  `    (select distinct f.user_id, f.team_id from ${composeFacts("case_owner", "new")}) g, ${firstOffers} w)`;

/**
 * Records the open case again, from the moment of the change on. Its status, chance, owners and offers have
 * changed at times of their own. At each of these times, a negative fact takes back the state before and a
 * positive one records the state after, if the case was open.
 */
const putForward = composeFact({
  kind: "case_open",
  company: "new.company_id",
  at: "s.at",
  user: "s.user_id",
  team: "s.team_id",
  dims: { ...describeCaseDims("new"), products: "s.p" },
  subject: "new.id",
  weight: "s.n",
  value: "s.n * s.v",
  value2: weighValue("s.n * s.v", "s.c"),
  from: "(select o.at, o.user_id, o.team_id, iif(y.value = 1, o.n, -o.n_before) as n,\n" +
    "    iif(y.value = 1, o.v, o.v_before) as v, iif(y.value = 1, o.p, o.p_before) as p,\n" +
    "    iif(y.value = 1, o.c, o.c_before) as c\n" +
    `    from ${owned} o, json_each('[-1,1]') y\n` +
    "    where o.n <> o.n_before or o.v <> o.v_before or o.p <> o.p_before or o.c <> o.c_before) s",
  where: "s.n <> 0",
});

const newChances = composeFacts("case_chance", "new");

/**
 * Records a change of the chance from its moment on. The first change also records the chance that the case
 * began with.
 */
const chances = [
  ...composeFact({
    kind: "case_chance",
    company: "new.company_id",
    at: toEpochSeconds("new.created_at"),
    subject: "new.id",
    value: "old.chance_of_success",
    where: `old.chance_of_success <> new.chance_of_success and not exists (select 1 from ${newChances})`,
  }),
  ...composeFact({
    kind: "case_chance",
    company: "new.company_id",
    at: from,
    subject: "new.id",
    value: "new.chance_of_success",
    where: "old.chance_of_success <> new.chance_of_success",
  }),
];

const state = ["status", "chance_of_success"];
const owners = ["user_id", "team_id"];

/** Records a move: negative facts for the old owner and positive ones for the new owner. */
const moves = (kind: "case_open" | "case_owner") => {
  const kindCode = factKinds[kind];
  return "insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)\n" +
    `    select new.company_id, ${kindCode}, ${factNow}, ${factNow}, iif(s.value = 1, new.user_id, g.user_id),\n` +
    "    iif(s.value = 1, new.team_id, g.team_id), g.dim_id, new.id, s.value * g.n, s.value * g.v, s.value * g.v2 from\n" +
    "    (select f.user_id, f.team_id, f.dim_id, sum(f.weight) as n, sum(f.value) as v, sum(f.value2) as v2\n" +
    `    from ${composeFacts(kind, "new")} group by f.user_id, f.team_id, f.dim_id having ${remains}) g,\n` +
    "    json_each('[-1,1]') s";
};

const ends = (kind: "case_open" | "case_owner") => {
  const kindCode = factKinds[kind];
  return "insert into facts (company_id, kind, at, recorded_at, user_id, team_id, dim_id, subject, weight, value, value2)\n" +
    `    select old.company_id, ${kindCode}, max(f.at, ${factNow}), ${factNow}, f.user_id, f.team_id, f.dim_id, old.id,\n` +
    `    -sum(f.weight), -sum(f.value), -sum(f.value2) from ${composeFacts(kind, "old")}\n` +
    `    group by max(f.at, ${factNow}), f.user_id, f.team_id, f.dim_id having ${remains}`;
};

/** A change of status, with the properties of the case after it. */
const change = {
  company: "c.company_id",
  at: toEpochSeconds("new.at"),
  user: "c.user_id",
  team: "c.team_id",
  dims: withProducts("c"),
  subject: "c.id",
  from: "cases c",
  where: "c.id = new.case_id",
};

/** The product lines sold with a closed case: those of its latest activity that has any. */
const soldLines = {
  ...change,
  kind: "product_line",
  dims: { ...describeCaseDims("c"), products: "json_array(l.value ->> 'id')" },
  value: "l.value ->> 'quantity'",
  value2: lineAmount,
  from: "cases c join activities a on a.id = (select o.id from activities o where o.case_id = c.id\n" +
    "    and o.product_details <> '[]' order by o.created_at desc, o.id desc limit 1),\n" +
    "    json_each(a.product_details) d, json_each(d.value, '$.products') l",
} as const;

export const caseFacts: readonly SchemaObject[] = [
  makeFactTrigger(
    "facts_case_created",
    "after insert on cases",
    {
      ...owner,
      kind: "case_created",
      at: toEpochSeconds("new.created_at"),
      dims: withProducts("new"),
    },
    { ...owner, kind: "case_owner", at: toEpochSeconds("new.created_at") },
    {
      ...owner,
      kind: "case_open",
      at: toEpochSeconds("new.created_at"),
      dims: withProducts("new"),
      value: "new.offer_value",
      value2: weighValue("new.offer_value", "new.chance_of_success"),
      where: "new.status = 'open'",
    },
  ),
  trigger(
    "facts_case_changed",
    `after update of ${state.join(", ")} on cases when ${anyChanged(state)}`,
    ...chances,
    takeBack,
    ...putForward,
  ),
  // A backdated offer changes the value of the case at that time, even if the present value stays the same.
  trigger("facts_case_offered", "after update of offer_value on cases", takeBack, ...putForward),
  trigger(
    "facts_case_moved",
    `after update of ${owners.join(", ")} on cases when ${anyChanged(owners)}`,
    moves("case_open"),
    moves("case_owner"),
  ),
  trigger(
    "facts_case_deleted",
    "after delete on cases when " + companyStays,
    ends("case_open"),
    ends("case_owner"),
  ),
  makeFactTrigger("facts_case_closed", "after insert on case_status_changes when new.to_status = 'closed'", {
    ...change,
    kind: "case_closed",
    value: "c.offer_value",
    value2: `max(0, ${toEpochSeconds("new.at")} - ${toEpochSeconds("c.created_at")})`,
  }, soldLines),
  makeFactTrigger(
    "facts_case_declined",
    "after insert on case_status_changes when new.to_status = 'declined'",
    { ...change, kind: "case_declined" },
  ),
  makeFactTrigger(
    "facts_case_reopened",
    "after insert on case_status_changes when new.to_status = 'open'",
    { ...change, kind: "case_reopened" },
  ),
];
