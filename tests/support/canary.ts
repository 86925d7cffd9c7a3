/** A listener on loopback that reports whether anything connected. */
export interface Canary {
  readonly port: number;
  /** How often something connected, by IPv4 or IPv6. */
  connections(): number;
  close(): void;
}

export function startCanary(): Canary {
  const four = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = four.addr as Deno.NetAddr;
  const listeners = [four, ...listenSix(port)];
  let connections = 0;
  for (const listener of listeners) void count(listener);

  async function count(listener: Deno.Listener): Promise<void> {
    for await (const connection of listener) {
      connections++;
      connection.close();
    }
  }

  return {
    port,
    connections: () => connections,
    close() {
      for (const listener of listeners) listener.close();
    },
  };
}

/** Listens on IPv6. Empty if the machine has no IPv6. */
function listenSix(port: number): Deno.Listener[] {
  try {
    return [Deno.listen({ hostname: "::1", port })];
  } catch {
    return [];
  }
}
