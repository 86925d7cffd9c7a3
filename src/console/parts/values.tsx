/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Values as people read them. */
import type { Visit } from "../visit.ts";

export function Moment({ visit, at }: { visit: Visit; at: string | null }) {
  return at === null ? null : <time datetime={visit.formats.machine(at)}>{visit.formats.moment(at)}</time>;
}

/** The day on which it was. */
export function Day({ visit, at }: { visit: Visit; at: string }) {
  return <time datetime={visit.formats.machine(at)}>{visit.formats.day(at)}</time>;
}

/** How many days ago it was. The text changes with the day at most, so that open pages stay as they are. */
export function DaysAgo({ visit: { formats, now, texts }, at }: { visit: Visit; at: string }) {
  const machine = formats.machine(at);
  const days = Math.max(0, Math.floor((now - Date.parse(machine)) / 86_400_000));
  return <time datetime={machine}>{texts.board.days(days)}</time>;
}

/** The end of a running countdown. The script writes what is left; without it stays the moment. */
export function Countdown({ visit, at }: { visit: Visit; at: string | null }) {
  if (at === null) return null;
  return (
    <time class="countdown" data-countdown="" datetime={visit.formats.machine(at)}>
      {visit.formats.moment(at)}
    </time>
  );
}

export function Phone({ number, shown }: { number: string | null; shown?: string | null }) {
  if (!number) return null;
  return <a href={`tel:${number.replaceAll(/[^+\d*#]/g, "")}`} dir="ltr">{shown ?? number}</a>;
}

/** A long address breaks behind its `@`, if it can. */
export function Email({ address }: { address: string | null }) {
  if (!address) return null;
  const at = address.lastIndexOf("@") + 1;
  return (
    <a href={`mailto:${encodeURIComponent(address).replace("%40", "@")}`} dir="ltr" title={address}>
      {address.slice(0, at)}
      {at > 0 ? <wbr /> : null}
      {address.slice(at)}
    </a>
  );
}

export type Tone = "good" | "bad" | "warn" | "plain";

export function Badge({ tone, text }: { tone: Tone; text: string }) {
  return <span class={tone === "plain" ? "badge" : `badge ${tone}`}>{text}</span>;
}
