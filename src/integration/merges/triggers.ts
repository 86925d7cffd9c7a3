/** Triggers of merges, which belong to the team of their record and go with it. */
import { makeTotalTriggers, type SchemaObject, trigger } from "../../db/triggers.ts";

const ofRoot = "merge_id in (select m.id from merges m where m.root_id = old.id)";

const removed = [
  `delete from merge_locks where ${ofRoot}`,
  `delete from merge_rows where ${ofRoot}`,
  `delete from merged_records where ${ofRoot}`,
  "delete from merges where root_id = old.id",
];

export const mergeTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "merges", byTeam: true, columns: ["team_id"] }),
  ...["accounts", "contacts"].flatMap((table) => {
    const condition = table === "accounts" ? " and new.counts = 1" : "";
    return [
      trigger(
        `merges_follow_${table}`,
        // A large account leaves its team when its deletion begins.
        `after update of team_id on ${table} when old.team_id is not new.team_id${condition}`,
        "update merges set team_id = new.team_id where root_id = new.id",
      ),
      trigger(`merges_of_${table}_delete`, `after delete on ${table}`, ...removed),
    ];
  }),
];
