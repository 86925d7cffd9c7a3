/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** How far work of many steps is. */
import type { Visit } from "../visit.ts";

interface Props {
  readonly visit: Visit;
  readonly label: string;
  readonly done: number;
  readonly all: number;
  /** How far it is, in words; by default the two amounts. */
  readonly text?: string;
  /** What is left, in words. */
  readonly left?: string | null;
}

export function Progress({ visit: { formats, texts }, label, done, all, text, left }: Props) {
  const shown = Math.min(Math.max(done, 0), all);
  return (
    <div class="progress">
      <label for="progress">{label}</label>
      <progress id="progress" value={String(shown)} max={String(Math.max(all, 1))}></progress>
      <p class="sub">
        {text ?? texts.progress(formats.number(shown), formats.number(all))}
        {left ? ` · ${left}` : ""}
      </p>
    </div>
  );
}
