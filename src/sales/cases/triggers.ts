/** Triggers of cases: counters, the words that search finds them by, and columns copied to milestones. */
import {
  copyTrigger,
  makeTotalTriggers,
  makeWordIndex,
  type SchemaObject,
  trigger,
} from "../../db/triggers.ts";

/** A case is found by the words of its account and its contact, and by its number in the company. */
const words = (account: string, contact: string, row: string) =>
  `${account}.name_words || ' ' || ${contact}.name_words || ' c' || ${row}.company_id || 'z' || ${row}.case_number`;

const indexWords = "insert or replace into cases_search (rowid, words)\n" +
  `    select new.seq, ${words("a", "c", "new")} from accounts a, contacts c\n` +
  "    where a.id = new.account_id and c.id = new.contact_id";

const parent = (column: string) => `(select c.${column} from cases c where c.id = new.case_id)`;

export const caseTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({ table: "cases", byTeam: true, byStatus: "status", columns: ["team_id", "status"] }),
  ...makeTotalTriggers({ table: "cases", kind: "cases_by_status", byStatus: "status", columns: ["status"] }),
  ...makeWordIndex("cases", "seq"),
  trigger("cases_search_insert", "after insert on cases", indexWords),
  copyTrigger("cases_search_move", "cases", ["account_id", "contact_id"], indexWords),
  copyTrigger(
    "cases_search_accounts_renamed",
    "accounts",
    ["name_words"],
    "insert or replace into cases_search (rowid, words)\n" +
      `    select cs.seq, ${words("new", "c", "cs")}` +
      " from cases cs join contacts c on c.id = cs.contact_id\n" +
      "    where cs.account_id = new.id",
  ),
  copyTrigger(
    "cases_search_contacts_renamed",
    "contacts",
    ["name_words"],
    "insert or replace into cases_search (rowid, words)\n" +
      `    select cs.seq, ${words("a", "new", "cs")}` +
      " from cases cs join accounts a on a.id = cs.account_id\n" +
      "    where cs.contact_id = new.id",
  ),
  copyTrigger(
    "case_milestones_follow_cases",
    "cases",
    ["contact_id", "account_id", "team_id"],
    "update case_milestones set contact_id = new.contact_id, account_id = new.account_id, team_id = new.team_id\n" +
      "    where case_id = new.id",
  ),
  trigger(
    "case_milestones_of_case",
    "after insert on case_milestones when new.contact_id is null",
    `update case_milestones set contact_id = ${parent("contact_id")},\n` +
      `    account_id = ${parent("account_id")}, team_id = ${parent("team_id")}\n` +
      "    where case_id = new.case_id and activity_type_id = new.activity_type_id",
  ),
  // Deletes the counters of the case.
  trigger(
    "cases_totals_delete",
    "after delete on cases",
    "delete from totals where company_id = old.company_id and kind in ('correspondences', 'automated_sends')\n" +
      "    and team_id = 0 and status = old.id",
  ),
];
