/**
 * Measures how fast the timer job moves leads that are due at the same time, and how long it blocks other
 * writers.
 */
import process from "node:process";
import { escalateDue } from "../../src/sales/leads/escalate.ts";
import { makeSales } from "../sales/leads_world.ts";
import { startApp } from "../support/app.ts";

export interface Escalated {
  readonly leads: number;
  readonly perSecond: number;
  /** Leads per second of processor time. */
  readonly perCpuSecond: number;
  /** The longest batch, in milliseconds: the longest time that the write lock was held. */
  readonly longestMs: number;
}

/** Escalates `count` leads of ten dealers in one run, in one company with two subscriptions to all events. */
export async function measureEscalation(count: number): Promise<Escalated> {
  await using app = await startApp();
  const place = await makeSales(app);
  const patterns: string[] = [];
  for (let n = 0; n < 10; n++) {
    const team_id = await place.company.team({ name: `Dealer ${n}`, team_type: "dealer" });
    await place.company.user({ teams: [team_id] });
    patterns.push((await place.lead({ team_id })).id);
  }
  for (const path of ["one", "two"]) {
    const hook = { target_url: `http://127.0.0.1:9/${path}`, webhook_event: "*" };
    await place.admin.call("POST", "/v1/webhooks", hook);
  }
  const names = await app.sql("select name from pragma_table_info('leads') where name not in ('seq', 'id')");
  const columns = names.map(({ name }) => name).join(", ");
  for (const [n, id] of patterns.entries()) {
    const copies = Math.floor(count / patterns.length) - 1;
    await app.deps.db.write([
      {
        sql: "with recursive copies (i) as (select 1 union all select i + 1 from copies where i < ?) " +
          `insert into leads (id, ${columns}) select printf('01939c5e-7d3a-7%03d-8000-%012x', ?, i), ${columns} ` +
          "from copies, leads where leads.id = ?",
        args: [copies, n, id],
      },
    ]);
  }
  await app.deps.db.write([{
    sql:
      "insert into lead_transitions (lead_id, kind, at, team_id) select l.id, 'assignment', l.created_at, l.team_id " +
      "from leads l where not exists (select 1 from lead_transitions m where m.lead_id = l.id)",
    args: [],
  }]);
  app.clock.move(2 * 3_600_000);
  const { db } = app.deps;
  let longestMs = 0;
  const watched: typeof db = {
    ...db,
    async write(statements) {
      const begun = performance.now();
      const results = await db.write(statements);
      longestMs = Math.max(longestMs, performance.now() - begun);
      return results;
    },
  };
  // Sends no notifications, because their time would count.
  const deps = {
    ...app.deps,
    db: watched,
    wakeDeliveries: () => {},
    wakeNotifications: () => {},
    wakeMails: () => {},
  };
  const before = process.cpuUsage();
  const begun = performance.now();
  const leads = await escalateDue(deps, app.clock.now());
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { leads, perSecond: leads / seconds, perCpuSecond: leads / (user + system) * 1_000_000, longestMs };
}
