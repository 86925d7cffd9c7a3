/** A task that stands by itself, with its case. */
import { composeDisplayName } from "../../customers/accounts/display_name.ts";
import { composeContactName } from "../../customers/contacts/present.ts";
import { composeJsonMembers, sql } from "../../db/statements.ts";
import type { Row } from "../../platform/database/database.ts";
import { parseTask } from "../case_parts/tasks.ts";
import { presentTask, type TaskRecord } from "./record.ts";
import type { CaseStatus } from "../cases/lifecycle.ts";

/** What a task that stands by itself shows of its case. */
export interface CaseOfTask {
  readonly id: string;
  /** Null until the batch that opens the case assigns it. */
  readonly case_number: number | null;
  readonly status: CaseStatus;
  readonly account_id: string;
  /** The display name. */
  readonly account_name: string | null;
  readonly contact: {
    readonly id: string;
    readonly first_name: string | null;
    readonly last_name: string | null;
    readonly email: string | null;
    readonly phone_number: string | null;
  };
}

const contactMembers = composeJsonMembers(
  ["id", "first_name", "last_name", "email", "phone_number"],
  "cs_contact",
);

/** SQL: the case of the alias `task` as JSON of a `CaseOfTask`. */
export const caseOfTaskJson = sql`(select json_object('id', cs.id, 'case_number', cs.case_number,
  'status', cs.status, 'account_id', cs.account_id, 'account_name', ${composeDisplayName("cs_account")},
  'contact', json_object(${contactMembers})) from cases cs join accounts cs_account on cs_account.id = cs.account_id
  join contacts cs_contact on cs_contact.id = cs.contact_id where cs.id = task.case_id)`;

/** Presents a task by itself, with its case. */
export function presentTaskWithCase(task: TaskRecord, of: CaseOfTask, at: string) {
  const { id, case_number, status, contact } = of;
  return {
    ...presentTask(task, at),
    case: {
      id,
      case_number: case_number ?? 0,
      status,
      account: { id: of.account_id, name: of.account_name },
      contact: {
        id: contact.id,
        name: composeContactName(contact),
        email: contact.email,
        phone_number: contact.phone_number,
      },
    },
  };
}

/** Reads and presents a row with `taskJson` as `record` and `caseOfTaskJson` as `of`. */
export function presentTaskRow({ record, of }: Row, at: string) {
  return presentTaskWithCase(parseTask(record!), JSON.parse(of as string) as CaseOfTask, at);
}
