/**
 * A webhook target that accepts everything and reports its rate. `GET /took?count=N` waits for N requests
 * since the last such answer, and returns the milliseconds from the first to the last of them. Paths that
 * begin with `/dead` are never answered, and not counted.
 */
let arrivals: number[] = [];
let reported: (() => void) | null = null;

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) =>
    console.log(JSON.stringify({ event: "listening", url: `http://127.0.0.1:${port}` })),
}, async (request) => {
  if (request.method === "GET") return await took(Number(new URL(request.url).searchParams.get("count")));
  if (new URL(request.url).pathname.startsWith("/dead")) return await new Promise<Response>(() => {});
  await request.arrayBuffer();
  arrivals.push(performance.now());
  reported?.();
  return new Response("ok");
});

async function took(count: number): Promise<Response> {
  await new Promise<void>((resolve) => {
    reported = () => arrivals.length >= count && resolve();
    reported();
  });
  const milliseconds = arrivals[count - 1]! - arrivals[0]!;
  arrivals = [];
  return Response.json({ milliseconds });
}
