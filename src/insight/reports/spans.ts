/** The spans of a question, in the form that its statements use. */
import { beginning } from "../rollups/periods.ts";
import type { Span } from "./question.ts";

/** Made once for a question, because the JSON of many spans is long. */
export interface Counted {
  readonly flows: Spans;
  /** For levels: the first span includes everything before it. */
  readonly levels: Spans;
}

export interface Spans {
  readonly list: readonly Span[];
  /** JSON: start and end of each. */
  readonly pairs: string;
}

export function describeCounted(spans: readonly Span[]): Counted {
  const fromBeginning = spans.map(({ start, end }, index) => ({
    start: index === 0 ? beginning : start,
    end,
  }));
  return { flows: makeSpans(spans), levels: makeSpans(fromBeginning) };
}

function makeSpans(list: readonly Span[]): Spans {
  return { list, pairs: JSON.stringify(list.map(({ start, end }) => [start, end])) };
}
