/** The parts of a commit that changes campaigns. */
import { type FieldError, invalid, Problem } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { searchTokens } from "../../core/text.ts";
import { deprecation, type Filtering, readFilter } from "../../customers/filter_catalogue.ts";
import { searchScope } from "../../identity/teams/queries.ts";
import type { Statement } from "../../platform/database/database.ts";
import { onOneLine } from "../placeholders/render.ts";
import { checkText } from "../placeholders/syntax.ts";
import { cleanContent } from "../templates/write.ts";
import type { CampaignMessageBody } from "./parts.ts";
import type { CampaignRow } from "./record.ts";

/** Writes the words of the name into the full-text index. `seq` may be SQL. */
export function indexName(
  seq: number | Sql,
  companyId: number,
  name: string,
): Statement {
  return sql`insert or replace into campaigns_search (rowid, words)
    values (${seq}, ${searchTokens(searchScope(companyId), [name])})`;
}

/** SQL: the row id of a campaign. */
export function selectCampaignSeq(id: string): Sql {
  return sql`(select seq from campaigns where id = ${id})`;
}

type Message = Pick<CampaignRow, "subject" | "content" | "sender">;

const noMessage: Message = { subject: null, content: null, sender: null };

/**
 * Returns the message after a change. Null in a body removes the message. Adds errors for its placeholders.
 */
export async function composeMessageAfter(
  before: Message,
  body: CampaignMessageBody | null | undefined,
  errors: FieldError[],
): Promise<Message> {
  if (body === undefined) {
    return { subject: before.subject, content: before.content, sender: before.sender };
  }
  if (body === null) return noMessage;
  const { subject = before.subject, sender = before.sender } = body;
  if (subject !== null) checkText(subject, "message.subject", errors);
  const faults: FieldError[] = [];
  const content = body.content === undefined
    ? before.content
    : body.content === null
    ? null
    : await cleanContent(body.content, faults);
  errors.push(
    ...faults.map((fault) => ({ ...fault, path: "message.content" })),
  );
  return {
    subject: subject === null ? null : onOneLine(subject),
    content,
    sender,
  };
}

/**
 * Returns the JSON of a filter that the caller may use. Adds its faults to the errors, and then returns null. Adds
 * the headers of deprecated names to `headers`.
 */
export function checkFilter(
  ctx: Context,
  filtering: Filtering,
  given: unknown,
  errors: FieldError[],
  headers: Record<string, string>,
): string | null {
  if (given === null) return null;
  try {
    const filter = readFilter(ctx, filtering, given);
    if (filter.deprecated) Object.assign(headers, deprecation);
    return JSON.stringify(filter.given);
  } catch (error) {
    const faults = error instanceof Problem ? error.more.errors : undefined;
    if (!faults) throw error;
    errors.push(...faults);
    return null;
  }
}

/** Throws 422 with the errors, if there are any. */
export function throwErrors(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(...errors);
}
