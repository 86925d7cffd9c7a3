/** Automated communications that an activity starts. */
import { fieldError, invalid } from "../../core/errors.ts";
import { makeId } from "../../core/ids.ts";
import { computeMomentOfDay } from "../../core/local_time.ts";
import { parseTimestamp } from "../../core/time.ts";
import type { Context } from "../../db/context.ts";
import { insertAll, type Sql, sql } from "../../db/statements.ts";
import type { Result, Row, Statement } from "../../platform/database/database.ts";
import { findFirstAutomated, type NextAutomated } from "../case_parts/automated.ts";
import { type AutomatedSendRow, automatedSends } from "./table.ts";

/** Milliseconds. A communication that was due longer ago when its activity was recorded is not sent. */
const latest = 86_400_000;

/** The most e-mails that an activity starts. */
const mostStarted = 1_000;

/**
 * Reads, for `startSends`, the messages of the definitions that the activity types name. Leaves out
 * definitions that the same activity type has started on the case and that are still pending.
 */
export function selectStarts(
  companyId: number,
  path: Sql,
  caseId: string,
  typeIds: readonly string[],
): Statement {
  return sql`select t.id as activity_type_id, d.id as definition_id, m.id as message_id, m.name, m.subject,
      m.delay_days, m.offset_from_midnight,
      (select c.timezone from companies c where c.id = d.company_id) as timezone
    from activity_types t join json_each(t.automated_communications) a
    join automated_communications d on d.id = a.value and d.company_id = ${companyId}
    join automated_messages m on m.definition_id = d.id
    where t.relations_path_id = ${path} and t.retired_at is null
    and t.id in (select value from json_each(${JSON.stringify(typeIds)}))
    and not exists (select 1 from automated_sends s indexed by automated_sends_waiting
      where s.case_id = ${caseId} and s.status = 'pending' and s.activity_type_id = t.id
      and s.definition_id = d.id)
    order by a.key, m.position limit ${mostStarted + 1}`;
}

interface Found {
  readonly activity_type_id: string;
  readonly definition_id: string;
  readonly message_id: string;
  readonly name: string;
  readonly subject: string;
  readonly delay_days: number;
  readonly offset_from_midnight: number;
  /** The time zone of the company. */
  readonly timezone: string;
}

/** The activity that starts the communications. */
interface Starting {
  readonly id: string;
  readonly case_id: string;
  readonly created_at: string;
  /** The ids of its types. A definition that several types name is started by the first of them. */
  readonly types: readonly string[];
  /** The status of the case after the activity. */
  readonly status: string;
  /** The time zone of the case's team. Null: the time zone of the company applies. */
  readonly timezone: string | null;
}

export interface Started {
  readonly statements: Statement[];
  /** The first pending communication; null if there is none. */
  readonly next: NextAutomated | null;
}

/**
 * Reads the result of `selectStarts`. Throws 422 for an activity that starts more than `mostStarted` e-mails.
 */
export function startSends(ctx: Context, { rows }: Result, activity: Starting): Started {
  if (rows.length > mostStarted) {
    const rule = `Such an activity starts more than ${mostStarted} automated communications.`;
    throw invalid(fieldError("activity_type_ids", "max", rule));
  }
  const recorded = parseTimestamp(activity.created_at)!;
  const starters = new Map<string, string>();
  const found = (rows as (Row & Found)[]).toSorted((one, other) =>
    activity.types.indexOf(one.activity_type_id) - activity.types.indexOf(other.activity_type_id)
  );
  const sends = found.flatMap((each): AutomatedSendRow[] => {
    const { activity_type_id, definition_id } = each;
    if (!starters.has(definition_id)) starters.set(definition_id, activity_type_id);
    if (starters.get(definition_id) !== activity_type_id) return [];
    const zone = activity.timezone ?? each.timezone;
    const due_at = computeMomentOfDay(zone, recorded, each.delay_days, each.offset_from_midnight);
    const isPast = due_at < ctx.now - latest;
    return [{
      id: makeId(ctx.now),
      company_id: ctx.caller.companyId,
      case_id: activity.case_id,
      activity_id: activity.id,
      activity_type_id,
      definition_id,
      message_id: each.message_id,
      name: each.name,
      subject: each.subject,
      due_at,
      case_status: activity.status,
      status: isPast ? "skipped" : "pending",
      reason: isPast ? "past" : null,
      origin: ctx.origin,
      created_at: ctx.at,
      updated_at: ctx.at,
    }];
  });
  return {
    statements: sends.length === 0 ? [] : [insertAll(automatedSends, sends)],
    next: findFirstAutomated(sends.filter(({ status }) => status === "pending")),
  };
}
