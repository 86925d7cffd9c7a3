/** Redelivers all failed and missed deliveries of a period, of any number. */
import { isAdmin } from "../../core/access.ts";
import { accepted } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions, insert, literal, type Sql, sql } from "../../db/statements.ts";
import { recoveries } from "./table.ts";
import type { Deps } from "../../deps.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import { restartDelivery } from "./redeliver.ts";
import { selectLive } from "./claim.ts";
import { isOwnDelivery, requireWebhook, webhookById } from "./queries.ts";
import type { RecoverBody } from "./schema.ts";

/** Deliveries per batch, which holds the write lock for well under 100 ms. */
export const recoveredAtOnce = 250;
/** Batches of a recovery per run; the next run continues. */
const mostSteps = 4_000;

/**
 * 202 with the number of deliveries to send again: failed ones, and those missed during a pause. Pending ones
 * continue unchanged. Large numbers are restarted in steps, in the background and by the job. While the
 * subscription is paused, all wait.
 */
export async function recover(ctx: Context, id: number, body: RecoverBody) {
  const { caller, deps } = ctx;
  const { since } = body;
  const until = body.until && body.until < ctx.at ? body.until : ctx.at;
  const failed = sql`${hasFailedWithin(id, since, until)} and ${isOwnDelivery(ctx, "d")}`;
  // Counting a month of failures takes too long for the serving thread.
  const [found, counted] = await deps.db.readOnThread([
    webhookById(caller.companyId, id),
    sql`select count(*) as n from deliveries d where ${failed}`,
  ], { effort: "scan", company: caller.companyId });
  const webhook = requireWebhook(ctx, found!);
  const queued = Number(counted!.rows[0]!.n);
  const isMuch = queued > recoveredAtOnce;
  const anew = restartDelivery(ctx.now);
  const from = findBeginning(since, isAdmin(caller) ? null : webhook.owned_since);
  const answer = await commit(ctx, {
    statements: [
      guardVersions("webhooks", [webhook]),
      ...(isMuch ? [insert(recoveries, { company_id: caller.companyId, webhook_id: id, ...from, until })] : [
        sql`update deliveries set ${anew} where id in (select d.id from deliveries d where ${failed})`,
        guardThat("stale", sql`changes() = ${queued}`),
      ]),
    ],
    answer: accepted({ queued }),
  });
  if (isMuch) deps.background.run(() => continueRecoveries(deps, ctx.now));
  else deps.wakeDeliveries([caller.companyId]);
  return answer;
}

/**
 * Returns where a recovery starts: before the first delivery of the period, but after all deliveries for the
 * former user.
 */
function findBeginning(since: string, ownedSince: string | null): { after_at: string; after_id: string } {
  return ownedSince !== null && ownedSince >= since
    ? { after_at: ownedSince, after_id: "~" }
    : { after_at: since, after_id: "" };
}

function hasFailedWithin(webhookId: number, since: string, until: string): Sql {
  return sql`d.webhook_id = ${webhookId} and d.status = 'failed' and d.created_at >= ${since}
    and d.created_at <= ${until}`;
}

/** Continues every recovery at `now` (epoch milliseconds). Returns the number of restarted deliveries. */
export async function continueRecoveries(deps: Deps, now: number): Promise<number> {
  const [open] = await deps.db.read([
    sql`select id, company_id from recoveries order by id limit 100`,
  ]);
  let begun = 0;
  for (const { id, company_id } of open!.rows) {
    for (let step = 0; step < mostSteps; step++) {
      const [, , changed, , more] = await deps.db.write(makeStep(Number(id), now));
      begun += changed!.changes;
      if (changed!.changes > 0) deps.wakeDeliveries([Number(company_id)]);
      if (more!.changes === 0) break;
    }
  }
  return begun;
}

/**
 * Makes the next step of a recovery. It needs no lease and is no staged work: the batch moves the place of the
 * recovery, and `continueRecoveries` wakes the deliveries after each, so that the first go out while the last are
 * restarted. Each delivery is visited once, so one that fails again is not restarted twice. Steps of several
 * processes follow one another.
 */
function makeStep(id: number, now: number): Statement[] {
  const anew = restartDelivery(now);
  return [
    sql`delete from recoveries where id = ${id} and not exists (${selectLive(sql`recoveries.webhook_id`)})`,
    sql`update recoveries set (step_at, step_id) = (select d.created_at, d.id from deliveries d where ${ahead}
      order by d.created_at, d.id limit 1 offset ${literal(recoveredAtOnce - 1)}) where id = ${id}`,
    sql`update deliveries set ${anew} where id in (select d.id from recoveries cross join deliveries d
      where recoveries.id = ${id} and ${ahead} and (recoveries.step_at is null
      or (d.created_at, d.id) <= (recoveries.step_at, recoveries.step_id)))`,
    sql`delete from recoveries where id = ${id} and step_at is null`,
    sql`update recoveries set after_at = step_at, after_id = step_id where id = ${id}`,
  ];
}

/** Deliveries that a recovery has not reached yet. */
const ahead = sql`d.webhook_id = recoveries.webhook_id and d.status = 'failed'
  and (d.created_at, d.id) > (recoveries.after_at, recoveries.after_id) and d.created_at <= recoveries.until`;
