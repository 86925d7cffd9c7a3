/**
 * Folders of a deleted group go to the user who deletes it, and files outside of them lie nowhere. Permissions of
 * the group end.
 */
import type { GroupDeletion } from "../../identity/groups/deletion.ts";
import { takeFirst } from "../../staged/first_step.ts";
import type { StagedKind } from "../../staged/kind.ts";
import { beginWorkIf } from "../../staged/work.ts";
import { beginRootMove, isLeft, type LostRoot, makeOwnDestination, rootStep } from "./roots.ts";

/** Returns the statements of the first step, which is part of the commit of the deletion. */
export const groupFiles: GroupDeletion = (author, company_id, groupId) => {
  const user_id = author.caller?.userId ?? null;
  const lost = describeLostRoot(company_id, groupId, user_id);
  return [
    ...beginRootMove(author, lost, takeFirst),
    beginWorkIf(isLeft(lost.from), author, groupFilesWork, {
      company_id,
      subject: groupId,
      payload: { user_id },
    }),
  ];
};

/** Moves the remaining folders and files when there are too many for one commit. */
export const groupFilesWork: StagedKind = {
  kind: "group_files",
  step({ company_id, subject, payload }, take) {
    const { user_id = null }: { user_id?: number | null } = JSON.parse(payload);
    return rootStep(describeLostRoot(company_id, Number(subject), user_id), take);
  },
};

function describeLostRoot(company_id: number, groupId: number, userId: number | null): LostRoot {
  return {
    from: { company_id, belongs_to: "group", belongs_to_id: groupId },
    to: makeOwnDestination(userId),
  };
}
