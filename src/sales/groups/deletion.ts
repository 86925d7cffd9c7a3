/** The customers and sales records of a deleted group. */
import { forgetGroup } from "../../customers/fields/reassignment.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";

/** Forgets the group in fields. Its relations paths are kept for their makers, and their cases go on. */
export const groupDeletion: GroupDeletion = (_author, companyId, groupId) => [
  forgetGroup(companyId, groupId),
];
