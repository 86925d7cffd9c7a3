/** Files of deleted users, teams and groups. */
import type { Feature } from "../../feature.ts";
import { groupFiles, groupFilesWork } from "./groups.ts";
import { teamFiles } from "./teams.ts";
import { fileReassignment } from "./users.ts";

export const libraryDeletion: Feature = {
  folder: "library/deletion",
  staged: [groupFilesWork],
  userDeletion: [fileReassignment],
  teamDeletion: [teamFiles],
  groupDeletion: groupFiles,
};
