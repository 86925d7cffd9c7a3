/** Triggers of accounts. */
import { type SchemaObject, totalTriggers, wordIndex } from "../../db/triggers.ts";

export const accountTriggers: readonly SchemaObject[] = [
  ...totalTriggers({ table: "accounts", byTeam: true, columns: ["team_id"] }),
  ...wordIndex("accounts", "seq"),
];
