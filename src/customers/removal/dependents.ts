/** The records that go with a deleted customer: the port that each feature fills for its own. */
import type { Sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";

/** An account with its contacts, or a contact alone. */
export interface Selection {
  readonly company_id: number;
  /** Null: a contact is deleted alone. */
  readonly account_id: string | null;
  /** Null: an account is deleted. */
  readonly contact_id: string | null;
  /** A select of the ids of the contacts, or of some of them. */
  readonly contacts: Sql;
}

/** How many records of a type go along: an expression for the number. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** The features' part. */
export interface Dependents {
  /** `at` is the moment as a timestamp. */
  readonly amounts: (selection: Selection, at: string) => readonly Amount[];
  /** Steps in order: each deletes records that depend on the customers, or changes those that show them. */
  readonly steps: (selection: Selection, take: Take) => readonly PlannedStep[];
  /** Refuses the batch while a record names the customers that no foreign key holds to them. */
  readonly guards: (selection: Selection) => readonly Statement[];
}
