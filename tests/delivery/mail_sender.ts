/** A process that sends the mail that is due at the moment given, once. */
import { loadConfig } from "../../src/config.ts";
import { sendDueMails } from "../../src/delivery/mails/send.ts";
import { openBox } from "../../src/entry/box.ts";

const { deps, close } = await openBox(loadConfig(Deno.env.toObject()));
const sent = await sendDueMails(deps, Number(Deno.args[0]));
await close();
console.log(`sent ${sent}`);
