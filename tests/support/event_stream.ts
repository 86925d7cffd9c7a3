/** Server-sent events, read as they arrive. */
import type { Body } from "./app.ts";

export interface Sent {
  readonly id: string | null;
  readonly data: Body;
  /** The block as it arrived. */
  readonly text: string;
}

/** Reads the first block of a stream, and leaves it. */
export async function firstBlock(response: Response): Promise<string> {
  for await (const block of readBlocks(response)) return block;
  return "";
}

export function isEventStream({ headers }: Pick<Response, "headers">): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

/** Yields the blocks of a stream until it ends. */
export async function* readBlocks(response: Response): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
      yield rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
    }
  }
}

/** Yields the events of a stream until it ends. */
export async function* readStreamEvents(response: Response): AsyncGenerator<Sent> {
  for await (const text of readBlocks(response)) {
    const data = /^data: (.*)$/m.exec(text)?.[1];
    if (data !== undefined) {
      yield { id: /^id: (.*)$/m.exec(text)?.[1] ?? null, data: JSON.parse(data), text };
    }
  }
}
