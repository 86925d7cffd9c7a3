/** Triggers of leads: counters, and the words that search finds them by. */
import {
  copyTrigger,
  makeTotalTriggers,
  makeWordIndex,
  type SchemaObject,
  trigger,
} from "../../db/triggers.ts";
import { composeParty } from "./party.ts";

const accountOf = composeParty("l", "account_id").sql;
const contactOf = composeParty("l", "contact_id").sql;

/** A lead is found by what it brings, and by the names of the account and the contact that it is about. */
const indexWords = (which: string) =>
  "insert or replace into leads_search (rowid, words)\n" +
  "    select l.seq, ifnull(l.words, '') || ifnull(' ' || a.name_words, '') || ifnull(' ' || c.name_words, '')\n" +
  `    from leads l left join accounts a on a.id = ${accountOf}\n` +
  `    left join contacts c on c.id = ${contactOf}\n    where ${which}`;

const named = ["words", "account_id", "contact_id", "original_account_id", "original_contact_id"];

/** The index of the leads of a customer is on an expression, which has no affinity: the `+` removes the column's. */
const makeRenameTrigger = (table: "accounts" | "contacts", party: string) =>
  copyTrigger(`leads_search_${table}_renamed`, table, ["name_words"], indexWords(`${party} = +new.id`));

export const leadTriggers: readonly SchemaObject[] = [
  ...makeTotalTriggers({
    table: "leads",
    byTeam: true,
    byStatus: "status",
    byAgency: "agency_team_id",
    only: "#.hidden = 0",
    columns: ["team_id", "status", "agency_team_id", "hidden"],
  }),
  ...makeTotalTriggers({
    table: "leads",
    kind: "leads_by_state",
    byStatus: "state",
    only: "#.hidden = 0",
    columns: ["state", "hidden"],
  }),
  ...makeWordIndex("leads", "seq"),
  trigger("leads_search_insert", "after insert on leads", indexWords("l.seq = new.seq")),
  copyTrigger("leads_search_change", "leads", named, indexWords("l.seq = new.seq")),
  makeRenameTrigger("accounts", accountOf),
  makeRenameTrigger("contacts", contactOf),
];
