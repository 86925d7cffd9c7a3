/** What a deleted group has of customers and sales. */
import { forgetGroup } from "../../customers/fields/handover.ts";
import type { GroupLegacy } from "../../identity/groups/legacy.ts";
import { passPaths } from "../paths/legacy.ts";

/** Its relations paths are the company's then: cases go along them. */
export const groupLegacy: GroupLegacy = (author, companyId, groupId) => [
  forgetGroup(companyId, groupId),
  ...passPaths(author, companyId, `g${groupId}`, null),
];
