/** Records how long a subscription has been failing, with the results of its attempts. */
import { type Sql, sql } from "../../db/statements.ts";
import type { Statement } from "../../platform/database/database.ts";
import { type Result, succeeded } from "./outcome.ts";

/** The state without failures. */
export const notFailing = { failing_since: null, failures: 0 } as const;

/**
 * Records successes and failures, between the statements for attempts and deliveries, so that it skips the
 * same attempts as these.
 */
export function failingStatements(results: readonly Result[]): Statement[] {
  const lastSuccess = new Map(
    results.flatMap((result, index) => succeeded(result) ? [[result.webhook_id, index]] : []),
  );
  const failed = results.filter((result, index) =>
    !succeeded(result) && index > (lastSuccess.get(result.webhook_id) ?? -1)
  );
  const statements: Statement[] = [];
  if (lastSuccess.size > 0) statements.push(noteSuccess([...lastSuccess.keys()]));
  if (failed.length > 0) {
    statements.push(noteFailures(failed.map(({ delivery_id, number, at }) => [delivery_id, number, at])));
  }
  return statements;
}

function noteSuccess(webhookIds: readonly number[]): Sql {
  return sql`update webhooks set failing_since = null, failures = 0
    where id in (select value from json_each(${JSON.stringify(webhookIds)})) and failing_since is not null`;
}

/** Takes the delivery, number and time of each attempt. */
function noteFailures(attempts: readonly (readonly [string, number, number])[]): Sql {
  return sql`update webhooks set failing_since = min(coalesce(failing_since, f.first), f.first),
    failures = failures + f.n
    from (select d.webhook_id as id, min(r.value ->> 2) as first, count(*) as n
    from json_each(${JSON.stringify(attempts)}) r cross join deliveries d on d.id = r.value ->> 0
    where d.attempts = (r.value ->> 1) - 1 group by d.webhook_id) f where webhooks.id = f.id`;
}
