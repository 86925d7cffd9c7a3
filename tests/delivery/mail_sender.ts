/** A process that sends the mail that is due at the moment given, once. */
import { loadConfig } from "../../src/config.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { openBox } from "../../src/entry/box.ts";
import { makeFixedClock } from "../../src/platform/clock.ts";

const clock = makeFixedClock(Number(Deno.args[0]));
const { deps, close } = await openBox(loadConfig(Deno.env.toObject()), { clock });
const sent = await sendDueMails(deps, clock.now());
await close();
console.log(`sent ${sent}`);
