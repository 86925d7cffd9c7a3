/** Triggers of accounts. */
import { makeTotalTriggers, makeWordIndex, type SchemaObject } from "../../db/triggers.ts";

export const accountTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "accounts", byTeam: true, columns: ["team_id"] }),
  ...makeWordIndex("accounts", "seq"),
];
