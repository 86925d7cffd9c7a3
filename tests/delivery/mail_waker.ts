/** A process that sends mail as after commits, until none waits. Nothing catches what its work leaves unhandled. */
import { loadConfig } from "../../src/config.ts";
import { sql } from "../../src/db/statements.ts";
import { openBox } from "../../src/entry/box.ts";
import { pause } from "../../src/platform/pause.ts";

const { deps, close } = await openBox(loadConfig(Deno.env.toObject()));
const waiting = [sql`select 1 from mails limit 1`];
while ((await deps.db.read(waiting))[0]!.rows.length > 0) {
  deps.wakeMails();
  await pause(200);
}
await close();
