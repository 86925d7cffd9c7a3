/** Cases of deleted customers. */
import type { FieldAuthor } from "../../db/commit.ts";
import { isSelected } from "../../customers/removal/selection.ts";
import type { Selection, Taken } from "../../customers/removal/dependents.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import { activityAgain, removalReads, removeCases } from "../cases/removal.ts";
import { selectedCases } from "./selection.ts";

/** Reads what `takeCases` takes. */
export function caseReads(leaving: Selection): Statement[] {
  return removalReads(selectedCases(leaving));
}

export function takeCases(author: FieldAuthor, leaving: Selection, results: readonly Result[]): Taken {
  const { cases, statements, events, more } = removeCases(author, results);
  const accounts = cases.map((of) => of.account_id).filter((id) => id !== leaving.account_id);
  const contacts = cases.filter(({ contact }) => !isSelected(contact, leaving)).map((of) => of.contact_id);
  return { statements: [...statements, ...activityAgain({ accounts, contacts })], events, more };
}
