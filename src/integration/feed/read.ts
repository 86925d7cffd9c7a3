/** A page of the feed, at once or as soon as there is something for the caller. */
import { type Answer, ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import type { EventReader } from "../../db/event_readers.ts";
import type { OuterCall } from "../../http/endpoint.ts";
import { type Page, parseStart, readPage, type Start, writePage } from "./page.ts";
import type { FeedPage, FeedQuery } from "./schema.ts";

const usualLimit = 100;

/** Returns 200 with the page. A call inside another does not wait. */
export async function readFeed(
  ctx: Context,
  query: FeedQuery,
  outer: OuterCall | null,
): Promise<Answer<FeedPage>> {
  const start = parseStart(ctx, query.after);
  const limit = query.limit ?? usualLimit;
  const wait = outer === null ? 0 : query.wait ?? 0;
  if (outer === null || wait === 0) return makeAnswer(await readPage(ctx, start, query, { limit }));
  const reader = openReader(ctx, outer.request.signal);
  try {
    return makeAnswer(await waitFor(ctx, reader, outer, { start, limit, query, ms: wait * 1000 }));
  } finally {
    reader.close();
  }
}

/** Begins a reader of the caller, until `gone`. Throws 429 and 503 when too many wait. */
export function openReader({ deps, caller }: Context, gone: AbortSignal): EventReader {
  return deps.eventReaders.open(caller.companyId, `${caller.userId} ${caller.clientId}`, gone);
}

/** Reads until there is something or the time is over. The caller is judged anew after each wait. */
async function waitFor(
  first: Context,
  reader: EventReader,
  outer: OuterCall,
  { start, limit, query, ms }: { start: Start; limit: number; query: FeedQuery; ms: number },
): Promise<Page> {
  const until = performance.now() + ms;
  let ctx = first;
  for (let from = start;;) {
    reader.begin();
    const page = await readPage(ctx, from, query, { limit });
    const left = until - performance.now();
    if (page.items.length > 0 || left <= 0 || reader.ended.aborted) return page;
    from = page.next;
    if (!page.more) await reader.next(left);
    ctx = await outer.renew();
  }
}

function makeAnswer(page: Page): Answer<FeedPage> {
  return ok(writePage(page), { "Cache-Control": "no-store" });
}
