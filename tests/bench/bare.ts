/** What is possible at all: a Hono route that answers text made beforehand. The argument is its file. */
import { Hono } from "hono";

const answer = await Deno.readTextFile(Deno.args[0]!);
const app = new Hono();
app.get("*", (c) => c.body(answer));
app.post("*", async (c) => {
  await c.req.text();
  return c.body(answer, 201);
});
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, app.fetch);
