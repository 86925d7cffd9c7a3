/**
 * Runs the kill proof against services that lose something. The proof must fail for each. `KILL_FAULTS=all`
 * runs all faults, as `deno task test:long` does; by default, two run.
 */
import { runOfTests } from "../support/process.ts";
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { eventNames } from "../../src/core/events.ts";
import { inFolder } from "../support/engines.ts";
import { checkFile, killWhileWriting, type Options } from "./kill.ts";

/** SQL that makes a table silently lose each new row of a kind. */
function losing(table: string, rows: string, also = ""): string {
  return `create trigger sabotage_${table} before insert on ${table} when ${rows} ` +
    `begin ${also} select raise(ignore); end;`;
}

/** Loses events, and also hides their deliveries and the gap in the sequence. */
function losingEvents(rows: string): string {
  const back = "update event_sequences set last = last - 1 where company_id = new.company_id " +
    "and entity_type = new.entity_type and entity_id = new.entity_id;";
  return losing("outbox", rows, back) +
    losing("deliveries", "not exists (select 1 from outbox e where e.id = new.event_id)");
}

const spoilBy = (sql: string): Options => ({ spoil: (db) => db.exec(sql) });

/** The faults of the service, each with the message of the proof that rejects it. */
const sabotages: Readonly<Record<string, readonly [Options, RegExp]>> = {
  "loses the events of creations": [
    spoilBy(losingEvents("new.event_name like '%_created'")),
    /lacks events/,
  ],
  "loses the events of changes": [
    spoilBy(losingEvents("new.event_name like '%_updated'")),
    /the events of/,
  ],
  "loses the events of deletions": [
    spoilBy(losingEvents("new.event_name like '%_deleted'")),
    /lacks events/,
  ],
  "loses the events of lead moves": [
    spoilBy(losingEvents("new.event_name in ('lead_accepted', 'lead_rejected', 'lead_assigned')")),
    /the events of lead/,
  ],
  "writes events after the commit of their change": [
    { serve: [...runOfTests, "tests/proofs/kill_late_server.ts"] },
    /events/,
  ],
  "loses one delivery of three": [
    spoilBy(losing("deliveries", "abs(random()) % 3 = 0")),
    /an event lacks a delivery/,
  ],
  "marks deliveries as sent without sending them": [
    spoilBy(
      "create trigger sabotage after insert on deliveries begin update deliveries set status = 'delivered' " +
        "where id = new.id; end;",
    ),
    /never arrived/,
  ],
  "loses notifications": [
    spoilBy(losing("notifications", "new.type in ('note', 'lead_assigned')")),
    /a notification \w+ is missing/,
  ],
  "loses idempotent answers": [
    spoilBy(losing("idempotency_keys", "abs(random()) % 3 = 0")),
    /the kept answer of/,
  ],
};

/** One that loses rows, and one that writes them late. The last test misses a row of each kind. */
const oneOfEachKind: readonly string[] = [
  "writes events after the commit of their change",
  "loses one delivery of three",
];
const faults = Deno.env.get("KILL_FAULTS") === "all" ? Object.keys(sabotages) : oneOfEachKind;

for (const fault of faults) {
  const [options, message] = sabotages[fault]!;
  Deno.test(`a service that ${fault} does not pass the proof`, () =>
    inFolder(async (folder) => {
      const error = await assertRefused(() => killWhileWriting(1, 80, folder, options));
      assert.match(String(error.cause ?? error), message);
    }));
}

Deno.test("the proof fails for every single row that a kill takes", () =>
  inFolder(async (folder) => {
    const names: string[] = [];
    await assert.rejects(() =>
      killWhileWriting(1, 160, folder, {
        look(file, load, targets) {
          const whole = `${folder}/whole.db`;
          {
            using db = new DatabaseSync(file);
            db.exec(`vacuum into '${whole}'`);
            names.push(
              ...db.prepare("select distinct event_name as n from outbox").all().map(({ n }) => String(n)),
            );
          }
          const less = `${folder}/less.db`;
          const without = (sql: string) => {
            copyFileSync(whole, less);
            using db = new DatabaseSync(less, { enableForeignKeyConstraints: false });
            db.exec(sql);
            return () => checkFile(less, load, targets);
          };
          without("select 1")();
          for (const name of names) {
            const sql =
              `delete from outbox where rowid = (select min(rowid) from outbox where event_name = '${name}');` +
              "delete from deliveries where event_id not in (select id from outbox)";
            assert.throws(without(sql), `${name} is not missed`);
          }
          for (const type of ["custom", "note", "lead_assigned"]) {
            const sql =
              `delete from notifications where seq = (select min(seq) from notifications where type = '${type}')`;
            assert.throws(without(sql), `the notification ${type} is not missed`);
          }
          const firstWebhook = "where webhook_id = (select min(id) from webhooks)";
          for (const [table, of] of [["deliveries", firstWebhook], ["idempotency_keys", ""]]) {
            const sql = `delete from ${table} where rowid = (select min(rowid) from ${table} ${of})`;
            assert.throws(without(sql), `a row of ${table} is not missed`);
          }
          throw new Enough();
        },
      }), ({ cause }: Error) => {
      if (!(cause instanceof Enough)) throw cause;
      return true;
    });
    assert.deepEqual(eventNames.filter((name) => !names.includes(name) && !unwritten.has(name)), []);
  }));

/** Ends the proof once a test has its result. */
class Enough extends Error {}

/**
 * Events that the load does not cause: a new user needs a password hash, timers take minutes, mail comes from
 * outside.
 */
const unwritten = new Set<string>([
  "correspondence_received",
  "lead_escalated",
  "team_created",
  "team_deleted",
  "user_created",
  "user_deleted",
]);

async function assertRefused(run: () => Promise<unknown>): Promise<Error> {
  try {
    await run();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error("it passes");
}
