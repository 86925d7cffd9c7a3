/** HTTP by hand, for requests that no client would send. */

export interface RawReply {
  /** The status of the last response, after any `100 Continue`. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Everything that was received. */
  readonly text: string;
}

/** Sends the bytes as they are and reads until the answer is whole, or the server closes. */
export async function exchange(url: string, ...parts: (string | Uint8Array)[]): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  for (const part of parts) if (!await sendPart(connection, part)) break;
  return await readReply(connection);
}

/**
 * Sends the head of a request and the first bytes of its body. When `asked` resolves, the server reads the
 * body: then `meanwhile` runs, and the rest is sent. Returns the answer, which may come earlier.
 */
export async function holdOpen(
  url: string,
  { head, body }: { readonly head: string; readonly body: Uint8Array },
  asked: Promise<void>,
  meanwhile: () => Promise<unknown>,
): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  const reply = readReply(connection);
  await sendPart(connection, head);
  await sendPart(connection, body.subarray(0, 5));
  if (await Promise.race([asked.then(() => true), reply.then(() => false)])) {
    await meanwhile();
    await sendPart(connection, body.subarray(5));
  }
  return await reply;
}

/** Returns false if the server closes before everything is sent, as it does after a refusal. */
async function sendPart(connection: Deno.TcpConn, part: string | Uint8Array): Promise<boolean> {
  let bytes = typeof part === "string" ? new TextEncoder().encode(part) : part;
  try {
    while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
    return true;
  } catch {
    return false;
  }
}

async function readReply(connection: Deno.TcpConn): Promise<RawReply> {
  const decoder = new TextDecoder();
  const chunk = new Uint8Array(65_536);
  let reply = parse("");
  const late = setTimeout(() => connection.close(), 5_000);
  try {
    for (let size = await connection.read(chunk); size !== null; size = await connection.read(chunk)) {
      reply = parse(reply.text + decoder.decode(chunk.subarray(0, size), { stream: true }));
      if (isWhole(reply)) break;
    }
  } catch {
    // The server may reset the connection after its answer.
  }
  clearTimeout(late);
  return reply;
}

function isWhole({ headers, body }: RawReply): boolean {
  const length = headers.get("content-length");
  return length !== undefined && new TextEncoder().encode(body).length >= Number(length);
}

function parse(text: string): RawReply {
  const last = text.replace(/^HTTP\/1\.\d 100 [^]*?\r\n\r\n/, "");
  const [head = "", ...body] = last.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const headers = new Map(fields.map((field) => {
    const colon = field.indexOf(":");
    return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
  }));
  return { status: Number(line.split(" ")[1] ?? 0), headers, body: body.join("\r\n\r\n"), text };
}
