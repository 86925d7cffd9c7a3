/** What a deleted group leaves behind: the port that each feature fills for its own records. */
import type { Author } from "../../db/commit.ts";
import type { Statement } from "../../platform/database/database.ts";

/** The statements that let nothing of the features name the group. */
export type GroupDeletion = (author: Author, companyId: number, groupId: number) => readonly Statement[];
