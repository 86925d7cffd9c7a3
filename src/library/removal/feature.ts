/** Files of deleted users, teams and groups. */
import type { Feature } from "../../feature.ts";
import { groupFiles, groupFilesWork } from "./groups.ts";
import { teamFiles } from "./teams.ts";
import { fileReassignment } from "./users.ts";

export const libraryRemoval: Feature = {
  folder: "library/removal",
  staged: [groupFilesWork],
  userDeletion: [fileReassignment],
  teamDeletion: [teamFiles],
  groupDeletion: groupFiles,
};
