/** The event feed as a stream of server-sent events, for EventSource and the like. */
import type { Answer } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import type { EventReader } from "../../db/event_readers.ts";
import type { OuterCall } from "../../http/endpoint.ts";
import { readCursor } from "./cursor.ts";
import { type Page, parseStart, readPage } from "./page.ts";
import { openReader } from "./read.ts";
import type { StreamQuery } from "./schema.ts";
import { hashVisibility } from "./seen_events.ts";

/** Events and characters that a stream holds at most. */
const held = { limit: 50, most: 512 * 1024 } as const;
/** Milliseconds without an event after which a comment shows that the stream lives. */
const quiet = 12_000;
/** Milliseconds between two checks that the caller may still read. */
const judged = 3_000;

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
};

/** Returns 200 with the stream. The caller, the parameters and the cursor are judged before it begins. */
export async function streamFeed(
  ctx: Context,
  query: StreamQuery,
  outer: OuterCall | null,
): Promise<Answer<never>> {
  // A call inside another would never end.
  if (outer === null) throw notFound();
  const last = outer.request.headers.get("last-event-id");
  // The header has a cursor; only `after` may be `now`.
  const start = last
    ? readCursor(ctx.deps.secretsKey, ctx.caller.companyId, last)
    : parseStart(ctx, query.after);
  const own = new AbortController();
  const gone = AbortSignal.any([outer.request.signal, own.signal]);
  const reader = openReader(ctx, gone);
  try {
    reader.begin();
    const first = await readPage(ctx, start, query, held);
    if (outer.request.method === "HEAD") {
      reader.close();
      return { status: 200, body: null, headers };
    }
    const events = new FeedStream({ ctx, query, outer, reader, own, first });
    return { status: 200, body: null, headers, stream: events.readable };
  } catch (error) {
    reader.close();
    throw error;
  }
}

interface Parts {
  readonly ctx: Context;
  readonly query: StreamQuery;
  readonly outer: OuterCall;
  readonly reader: EventReader;
  /** Ends the reader. */
  readonly own: AbortController;
  readonly first: Page;
}

const utf8 = new TextEncoder();

/**
 * Writes one event each time the connection takes more, so that a slow reader holds up nothing but itself: what it has
 * not read yet stays in the database.
 */
class FeedStream {
  readonly readable: ReadableStream<Uint8Array>;
  readonly #parts: Parts;
  #ctx: Context;
  #page: Page;
  #sent = 0;
  #lastWrite = performance.now();
  readonly #until: number;
  readonly #check: ReturnType<typeof setInterval>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ctx = parts.ctx;
    this.#page = parts.first;
    this.#until = performance.now() + parts.ctx.deps.eventReaders.longest;
    let end = () => {};
    this.readable = new ReadableStream<Uint8Array>({
      start: (controller) => {
        controller.enqueue(utf8.encode("retry: 2000\n\n"));
        end = () => {
          try {
            controller.close();
          } catch {
            // It has ended already.
          }
        };
      },
      pull: async (controller) => {
        const text = await this.#next();
        if (text !== null) return controller.enqueue(utf8.encode(text));
        this.#close();
        controller.close();
      },
      cancel: () => this.#close(),
    }, { highWaterMark: 0 });
    // These end also a stream whose client reads nothing.
    const judge = async () => {
      if (!await this.#mayRead()) this.#close();
    };
    this.#check = setInterval(() => judge().catch(() => this.#close()), judged);
    const closeStream = () => {
      this.#close();
      end();
    };
    // The client may have gone during the first read.
    if (parts.reader.ended.aborted) closeStream();
    else parts.reader.ended.addEventListener("abort", closeStream, { once: true });
  }

  /** Returns the next event or comment; null at the end. */
  async #next(): Promise<string | null> {
    const { query, reader } = this.#parts;
    for (;;) {
      if (reader.ended.aborted || performance.now() >= this.#until) return null;
      const item = this.#page.items[this.#sent];
      if (item) {
        this.#sent++;
        this.#lastWrite = performance.now();
        return `id: ${item.cursor}\ndata: ${item.text}\n\n`;
      }
      if (!this.#page.more) {
        const left = quiet - (performance.now() - this.#lastWrite);
        if (left <= 0) {
          this.#lastWrite = performance.now();
          return ":\n\n";
        }
        await reader.next(left);
        if (reader.ended.aborted) return null;
      }
      reader.begin();
      const page = await this.#read(query);
      if (page === null) return null;
      this.#page = page;
      this.#sent = 0;
    }
  }

  /**
   * Reads the next page; null at the end. Judged after the read: it has nothing that happened after the end of the
   * token or the right, and it shows and passes over what the caller's sight of now does.
   */
  async #read(query: StreamQuery): Promise<Page | null> {
    const from = this.#page.next;
    for (;;) {
      let page: Page;
      try {
        page = await readPage(this.#ctx, from, query, held);
      } catch {
        // The reader comes again and gets the reason.
        return null;
      }
      if (page.next.position === from.position) return page;
      if (!await this.#mayRead()) return null;
      if (hashVisibility(this.#ctx.caller, this.#ctx.fields) === page.visibility) return page;
    }
  }

  async #mayRead(): Promise<boolean> {
    try {
      this.#ctx = await this.#parts.outer.renew();
      return true;
    } catch {
      return false;
    }
  }

  #close(): void {
    clearInterval(this.#check);
    this.#parts.reader.close();
    this.#parts.own.abort();
  }
}
