/** Facts of activities, and the value and the products that their offers give to a case. */
import { activityFlags } from "../../core/fact_kinds.ts";
import { makeFactTrigger, toEpochSeconds } from "../../facts/facts.ts";
import { type SchemaObject, trigger } from "../../db/triggers.ts";
import { describeCaseDims, selectWorth } from "../cases/facts.ts";

const types = (only: string) =>
  `(select json_group_array(t.id) from (select value ->> 'id' as id from json_each(new.activity_types)${only} order by 1) t)`;
const milestone = "value ->> 'is_milestone'";
const channels = Object.entries(activityFlags).filter(([name]) => name !== "milestone")
  .map(([name, bit]) => `when '${name}' then ${bit}`).join(" ");

export const activityFacts: readonly SchemaObject[] = [
  makeFactTrigger("facts_activity_created", "after insert on activities", {
    kind: "activity",
    company: "new.company_id",
    at: toEpochSeconds("new.created_at"),
    user: "new.user_id",
    team: "c.team_id",
    dims: {
      ...describeCaseDims("c"),
      types: types(""),
      milestoneTypes: types(` where ${milestone}`),
    },
    subject: "new.id",
    flags:
      `iif(exists (select 1 from json_each(new.activity_types) where ${milestone}), ${activityFlags.milestone}, 0)\n` +
      `    | case new.communication_channel ${channels} else 0 end`,
    from: "cases c",
    where: "c.id = new.case_id",
  }),
  trigger(
    "cases_offer_of_activity",
    "after insert on activities when new.product_details <> '[]'",
    "update cases set effective_at = new.created_at, offer_value = ifnull((" + selectWorth("a") +
      "\n    where a.id is not null), 0), product_ids = (select json_group_array(p.id) from\n" +
      "    (select value as id from json_each(cases.product_ids) union\n" +
      "    select l.value ->> 'id' from json_each(new.product_details) d, json_each(d.value, '$.products') l order by 1) p)\n" +
      "    from (select a.id, a.product_details from activities a where a.case_id = new.case_id and a.product_details <> '[]'\n" +
      "    order by a.created_at desc, a.id desc limit 1) a where cases.id = new.case_id",
  ),
];
