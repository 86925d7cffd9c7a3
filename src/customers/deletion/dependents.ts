/** The port for records that are deleted with a customer. The features that own them implement it. */
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

/** An expression for the number of records of a type that are deleted with the customer. */
export interface Amount {
  readonly type: string;
  readonly number: Sql;
}

/** The functions that the features implement. */
export interface Dependents {
  /** `at` is the moment as a timestamp. */
  readonly amounts: (selection: Selection, at: string) => readonly Amount[];
  /** Steps in order: each deletes records that depend on the customers, or changes those that show them. */
  readonly steps: (selection: Selection, take: Take) => readonly PlannedStep[];
  /** Rejects the batch while records refer to the customers without a foreign key. */
  readonly guards: (selection: Selection) => readonly Statement[];
}
