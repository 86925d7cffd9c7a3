/** The parts of a commit that changes templates. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import { searchTokens } from "../../core/text.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import type { Statement } from "../../platform/database/database.ts";
import { checkText, sanitizeFrame } from "../placeholders/syntax.ts";
import type { MessageType } from "../message_type.ts";

const margins = ["margin_top", "margin_left", "margin_right", "margin_bottom"] as const;
type Margins = { readonly [M in (typeof margins)[number]]?: number | null | undefined };

/** Writes the words of the title into the full-text index. `id` may be SQL. */
export function indexTitle(id: number | Sql, companyId: number, title: string): Statement {
  return sql`insert or replace into templates_search (rowid, words)
    values (${id}, ${searchTokens(searchScope(companyId), [title])})`;
}

/** Returns the sanitised content to store. Adds an error for placeholders that cannot be read. */
export async function cleanContent(html: string, errors: FieldError[]): Promise<string> {
  checkText(html, "content", errors);
  return await sanitizeFrame(html);
}

/** Adds an error for each margin of an e-mail template. */
export function checkMargins(type: MessageType, body: Margins, errors: FieldError[]): void {
  if (type === "letter") return;
  for (const margin of margins) {
    if ((body[margin] ?? null) !== null) {
      errors.push(fieldError(margin, "excluded", "Only letter templates have margins."));
    }
  }
}
