import { updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { GroupFacts } from "./summary.ts";
import { groups } from "./table.ts";

/** A group shows its teams, so it has another version once they change, though nothing of its own does. */
export function touchGroups(changed: readonly GroupFacts[]): Statement[] {
  return changed.flatMap((group) => [updateVersioned(groups, {}, group), guardChanged("stale")]);
}
