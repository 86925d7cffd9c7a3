/** What a deleted group leaves behind, as the features tell it to which it belongs: a port of theirs. */
import type { Author } from "../../db/commit.ts";
import type { Statement } from "../../platform/database/database.ts";

/** The statements that let nothing of the features name the group. */
export type GroupDeletion = (author: Author, companyId: number, groupId: number) => readonly Statement[];
