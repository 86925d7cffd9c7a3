/** Cases of deleted customers. */
import { isSelected } from "../../customers/deletion/selection.ts";
import type { Selection } from "../../customers/deletion/dependents.ts";
import type { PlannedStep, Take } from "../../staged/kind.ts";
import { renewCaseActivity } from "../cases/last_activity.ts";
import { removeCases } from "./remove_cases.ts";
import { selectCasesOfSelection } from "./selection.ts";

/** Removes the cases of deleted customers, and updates the last activity of the customers that stay. */
export function removeCustomerCases(selection: Selection, take: Take): PlannedStep {
  return removeCases(selectCasesOfSelection(selection), take, (cases) =>
    renewCaseActivity({
      accounts: cases.map((of) => of.account_id).filter((id) => id !== selection.account_id),
      contacts: cases.filter(({ contact }) => !isSelected(contact, selection)).map((of) => of.contact_id),
    }));
}
