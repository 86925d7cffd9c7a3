/** A target of webhooks that can be away. */
export interface Listener extends AsyncDisposable {
  readonly url: string;
  /** Answers 503 while true. */
  dead: boolean;
  /** Ids of the records in the deliveries that it took, by event. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
}

export function startListener(): Listener {
  const taken = new Map<string, Set<string>>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const body = await request.json();
    if (listener.dead) return new Response(null, { status: 503 });
    const event = request.headers.get("x-service-event")!;
    if (!taken.has(event)) taken.set(event, new Set());
    taken.get(event)!.add(String(body.id ?? body.data?.id));
    return new Response();
  });
  const listener: Listener = {
    url: `http://127.0.0.1:${server.addr.port}`,
    dead: false,
    taken,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return listener;
}
