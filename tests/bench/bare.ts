/**
 * The upper bound of a route: a Hono app that answers with a fixed text. Arguments: the file of the text, and
 * the server, `node` (as the service listens) or `deno` (`Deno.serve`).
 */
import { Hono } from "hono";
import { listen } from "../../src/entry/listen.ts";
import { memoryLog } from "../support/ports.ts";

const [file, server] = Deno.args;
const answer = await Deno.readTextFile(file!);
const app = new Hono();
app.get("*", (c) => c.body(answer));
app.post("*", async (c) => {
  await c.req.text();
  return c.body(answer, 201);
});
const listening = (url: string) => console.log(JSON.stringify({ event: "listening", url }));
if (server === "deno") {
  const onListen = ({ port }: { port: number }) => listening(`http://127.0.0.1:${port}`);
  Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, app.fetch);
} else {
  const place = { host: "127.0.0.1", port: 0, maxConnections: 1_000, light: true };
  const { url } = await listen((request) => app.fetch(request), place, memoryLog());
  listening(url);
}
