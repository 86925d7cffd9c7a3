/** Writes the recipients of a campaign, oldest contacts first, in steps that hold the write lock briefly. */
import { Problem } from "../../core/errors.ts";
import type { Author } from "../../db/commit.ts";
import { sql } from "../../db/statements.ts";
import type { Contribution } from "../../customers/filter_catalogue.ts";
import type { Statement } from "../../platform/database/database.ts";
import { noChange, type StagedKind } from "../../staged/kind.ts";
import { beginWorkIf } from "../../staged/work.ts";
import { type Audience, compileAudience } from "./audience.ts";
import { tasksWorkKind } from "./task_reads.ts";
import { stopApproved } from "./stop_approved.ts";
import { type RecipientsProgress, recipientsWorkKind } from "./start.ts";

/** Contacts that a step considers. */
const stepContacts = 250;

/** `contributions` are filter fields of related records. */
export function describeRecipientsWork(
  contributions: readonly Contribution[],
): StagedKind {
  return {
    kind: recipientsWorkKind,
    step({ company_id, subject, payload }, take) {
      const progress: RecipientsProgress = JSON.parse(payload);
      const { audience, after } = progress;
      // Contacts are not taken one by one: none of them can fail alone.
      const { most } = take(
        sql`select id from campaigns where 0`,
        stepContacts,
      );
      return {
        reads: [
          sql`select 1 as found from campaigns where id = ${subject} and stage = 'recipients'`,
          sql`select created_at, id from contacts indexed by contacts_by_created
            where company_id = ${company_id} and (created_at, id) > (${after[0]}, ${after[1]})
            order by created_at, id limit 1 offset ${most - 1} + 0`,
        ],
        apply(author, [found, ends]) {
          const { at } = author;
          if (found!.rows.length === 0) return noChange;
          const end = ends!.rows[0];
          const until = end ? [String(end.created_at), String(end.id)] as const : null;
          const range = { subject, after, until, at };
          const inserted = readable(() => insertRecipients(audience, contributions, range));
          if (inserted === null) {
            return { ...noChange, statements: stopForLostFilter(author, company_id, subject) };
          }
          const next: RecipientsProgress = { audience, after: until ?? after };
          return {
            statements: [
              insertRecipients(audience, contributions, {
                subject,
                after,
                until,
                at,
              }),
            ],
            events: [],
            more: until !== null,
            payload: JSON.stringify(next),
            last: [
              sql`update campaigns set stage = 'sending' where id = ${subject} and stage = 'recipients'`,
              beginWorkIf(
                sql`exists (select 1 from campaigns where id = ${subject} and task is not null)`,
                { at },
                { kind: tasksWorkKind },
                { company_id, subject },
              ),
            ],
          };
        },
      };
    },
  };
}

/** Returns null when the filter names something that no longer exists. */
function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** Makes the campaign a draft again, because nobody can select its recipients. Nothing was sent yet. */
function stopForLostFilter(author: Author, companyId: number, id: string): Statement[] {
  return [
    ...stopApproved(author, companyId, sql`id = ${id}`, "its filter names something that no longer exists"),
  ];
}

interface Range {
  readonly subject: string;
  readonly after: readonly [string, string];
  /** The last contact of the range; null: to the end. */
  readonly until: readonly [string, string] | null;
  readonly at: string;
}

/** Writes one message for each address. If several contacts have it, the oldest one is the recipient. */
function insertRecipients(
  audience: Audience,
  contributions: readonly Contribution[],
  { subject, after, until, at }: Range,
): Statement {
  const { company_id, type } = audience;
  const { selected, consented, hasAddress, bounced, key } = compileAudience(
    audience,
    contributions,
  );
  // Empty until the task is made.
  const task = sql`(select iif(task is null, null, '') from campaigns where id = ${subject})`;
  const email = type === "email" ? sql`y.email` : sql`null`;
  const end = until ? sql` and (y.created_at, y.id) <= (${until[0]}, ${until[1]})` : sql``;
  return sql`insert or ignore into campaign_messages (company_id, campaign_id, contact_id, team_id, email, email_key,
      task_id, status, created_at, updated_at)
    select ${company_id}, ${subject}, y.id, y.team_id, ${email}, ${key("y")}, ${task}, 'pending', ${at}, ${at}
    from contacts y indexed by contacts_by_created where y.company_id = ${company_id}
    and (y.created_at, y.id) > (${after[0]}, ${after[1]})${end}
    and ${selected("y")} and ${consented("y")} and ${hasAddress("y")} and not ${bounced("y")}
    order by y.created_at, y.id`;
}
