/** Triggers of contacts: totals, the full-text index, and the number of contacts of each account. */
import { makeTotalTriggers, makeWordIndex, type SchemaObject, trigger } from "../../db/triggers.ts";

const count = (by: "+ 1" | "- 1", row: "old" | "new") =>
  `update accounts set contact_count = contact_count ${by} where id = ${row}.account_id`;

export const contactTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "contacts", byTeam: true, columns: ["team_id"] }),
  ...makeWordIndex("contacts", "seq"),
  trigger("contacts_of_account_insert", "after insert on contacts", count("+ 1", "new")),
  trigger("contacts_of_account_delete", "after delete on contacts", count("- 1", "old")),
  trigger(
    "contacts_of_account_move",
    "after update of account_id on contacts when old.account_id is not new.account_id",
    count("- 1", "old"),
    count("+ 1", "new"),
  ),
];
