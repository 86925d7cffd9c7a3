/** Triggers of notes, which have the team of their case, or of their contact without one. */
import { copyTrigger, makeTotalTriggers, makeWordIndex, type SchemaObject } from "../../db/triggers.ts";

export const noteTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "notes", byTeam: true, columns: ["team_id"] }),
  ...makeWordIndex("notes", "id"),
  copyTrigger(
    "notes_follow_cases",
    "cases",
    ["team_id"],
    "update notes set team_id = new.team_id, version = version + 1 where case_id = new.id",
  ),
  copyTrigger(
    "notes_follow_contacts",
    "contacts",
    ["team_id", "account_id"],
    "update notes set account_id = new.account_id, team_id = iif(case_id is null, new.team_id, team_id),\n" +
      "    version = version + 1 where contact_id = new.id\n" +
      "    and (account_id is not new.account_id or (case_id is null and team_id is not new.team_id))",
  ),
];
