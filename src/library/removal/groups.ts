/** Folders and files of a deleted group go to the company; permissions of the group end. */
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { takeFirst } from "../../staged/first_step.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { beginWorkIf } from "../../staged/work.ts";
import { firstRootStep, isLeft, type LostRoot, rootStep } from "./roots.ts";

/** Returns the statements of the first step, which is part of the commit of the deletion. */
export const groupFiles: GroupDeletion = (author, company_id, groupId) => {
  const lost = lostRoot(company_id, groupId);
  return [
    ...firstRootStep(author, lost, takeFirst),
    beginWorkIf(isLeft(lost.from), author, groupFilesWork, { company_id, subject: groupId }),
  ];
};

/** Moves the remaining folders and files when there are too many for one commit. */
export const groupFilesWork: StagedKind = {
  kind: "group_files",
  step: ({ company_id, subject }, take) => rootStep(lostRoot(company_id, Number(subject)), take),
};

function lostRoot(company_id: number, groupId: number): LostRoot {
  return {
    from: { company_id, belongs_to: "group", belongs_to_id: groupId },
    to: { belongs_to: "company", belongs_to_id: company_id },
  };
}
