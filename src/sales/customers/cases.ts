/** Cases of deleted customers. */
import type { FieldAuthor } from "../../db/commit.ts";
import { leaves } from "../../customers/removal/leaving.ts";
import type { Leaving, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { activityAgain, goneCases, goneReads } from "../cases/gone.ts";
import { casesLeaving } from "./leaving.ts";

/** Reads what `takeCases` takes. */
export function caseReads(leaving: Leaving): Statement[] {
  return goneReads(casesLeaving(leaving));
}

export function takeCases(author: FieldAuthor, leaving: Leaving, results: readonly Result[]): Taken {
  const { cases, statements, events, more } = goneCases(author, results);
  const accounts = cases.map((of) => of.account_id).filter((id) => id !== leaving.account_id);
  const contacts = cases.filter(({ contact }) => !leaves(contact, leaving)).map((of) => of.contact_id);
  return { statements: [...statements, ...activityAgain({ accounts, contacts })], events, more };
}
