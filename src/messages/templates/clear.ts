/** The port for records that name a template: each feature implements it for its own records. */
import type { Author } from "../../db/commit.ts";
import type { Statement } from "../../platform/database/database.ts";

/** Removes the deleted template from the records that name it. */
export type ClearTemplate = (
  author: Pick<Author, "at">,
  companyId: number,
  templateId: number,
) => readonly Statement[];
