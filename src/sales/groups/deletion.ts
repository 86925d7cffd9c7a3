/** What a deleted group has of customers and sales. */
import { forgetGroup } from "../../customers/fields/reassignment.ts";
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { reassignOwnedPaths } from "../relations_paths/deletion.ts";

/** Its relations paths are the company's then: cases go along them. */
export const groupDeletion: GroupDeletion = (author, companyId, groupId) => [
  forgetGroup(companyId, groupId),
  ...reassignOwnedPaths(author, companyId, `g${groupId}`, null),
];
