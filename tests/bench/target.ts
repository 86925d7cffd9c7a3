/** A webhook target that accepts everything. */
Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, async (request) => {
  await request.arrayBuffer();
  return new Response("ok");
});
