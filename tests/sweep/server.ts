/**
 * Serves the app over the database file that `DATABASE_URL` names, at the moment `NOW`, without any jobs;
 * with `PASSWORDS=quick`, stores cheap hashes.
 * Does not forward notifications, so that a call has no effects after its answer.
 */
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { openBox } from "../../src/entry/box.ts";
import { giveMemoryBack } from "../../src/entry/give_back.ts";
import { listen } from "../../src/entry/listen.ts";
import { makeFixedClock } from "../../src/platform/clock.ts";
import { quickPasswords } from "../support/passwords.ts";

const env = Deno.env.toObject();
const { deps } = await openBox(loadConfig(env), {
  clock: makeFixedClock(Number(env.NOW)),
  ...(env.PASSWORDS === "quick" && { passwords: quickPasswords() }),
});
const app = createApp({ ...deps, wakeNotifications: () => {} });
const place = { host: "127.0.0.1", port: 0, maxConnections: 1_000, light: true };
const givingBack = giveMemoryBack(deps);
const { url } = await listen(
  (request, bindings) => {
    givingBack.noteCall();
    return app.fetch(request, bindings);
  },
  place,
  deps.log,
);
console.log(JSON.stringify({ event: "listening", url }));
