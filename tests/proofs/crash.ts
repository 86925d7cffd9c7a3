/** `deno task test:crash --kills 200`: runs the proof of `kill.test.ts` with more kills. */
import { inFolder } from "../support/engines.ts";
import { killWhileWriting } from "./kill.ts";

const at = Deno.args.indexOf("--kills");
const kills = at < 0 ? 200 : Number(Deno.args[at + 1]);
if (!Number.isInteger(kills) || kills < 1) {
  console.error("Usage: deno task test:crash [--kills N]");
  Deno.exit(1);
}
/** The average number of writes between two kills. */
const writes = 50;
const started = performance.now();
await inFolder(async (folder) => {
  const { answered, cut, deliveries, requests, deleted } = await killWhileWriting(
    kills,
    writes,
    folder,
    { report: (done) => done % 25 === 0 && console.log(`${done} kills`) },
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(
    `${kills} kills in ${seconds} s: ${answered} writes answered and kept, ${cut} interrupted and sent again, ` +
      `${deliveries} deliveries by ${requests} requests, ${deleted} subscriptions deleted; no losses, no duplicates`,
  );
});
