import { updateVersioned } from "../../db/statements.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";
import type { GroupFacts } from "./summary.ts";
import { groups } from "./table.ts";

/** Moves the versions of groups on when their teams change, since a group shows its teams. */
export function touchGroups(changed: readonly GroupFacts[]): Statement[] {
  return changed.flatMap((group) => [updateVersioned(groups, {}, group), guardChanged("stale")]);
}
