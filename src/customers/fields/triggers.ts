/** Triggers of custom fields and their values. */
import { copyTrigger, makeCallerTriggers, type SchemaObject } from "../../db/triggers.ts";

const copyTeam = (parent: string, ownerType: string) =>
  copyTrigger(
    `custom_values_follow_${parent}`,
    parent,
    ["team_id"],
    "update custom_values set team_id = new.team_id where owner = new.seq\n" +
      `    and field in (select seq from fields where company_id = new.company_id and owner_type = '${ownerType}')`,
  );

export const fieldTriggers: readonly SchemaObject[] = [
  ...makeCallerTriggers("fields"),
  ...makeCallerTriggers("field_orders"),
  copyTeam("accounts", "account"),
  copyTeam("contacts", "contact"),
];
