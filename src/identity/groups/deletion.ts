/** The port for records of a deleted group. Each feature implements it for its own records. */
import type { Author } from "../../db/commit.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Returns the statements that remove every reference to the group from the features' records. */
export type GroupDeletion = (author: Author, companyId: number, groupId: number) => readonly Statement[];
