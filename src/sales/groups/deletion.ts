/** The customers and sales records of a deleted group. */
import { forgetGroup } from "../../customers/fields/reassignment.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";

/** The relations paths of the group still name it, and admins alone see them. Their cases go on. */
export const groupDeletion: GroupDeletion = (_author, companyId, groupId) => [
  forgetGroup(companyId, groupId),
];
