/** The customers and sales records of a deleted group. */
import { forgetGroup } from "../../customers/fields/reassignment.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { reassignOwnedPaths } from "../relations_paths/deletion.ts";

/** The relations paths of the group move to the company, because cases use them. */
export const groupDeletion: GroupDeletion = (author, companyId, groupId) => [
  forgetGroup(companyId, groupId),
  ...reassignOwnedPaths(author, companyId, `g${groupId}`, null),
];
