/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The two views of cases. */
import type { Visit } from "../visit.ts";

const views = ["board", "list"] as const;

export function CaseViews({ visit: { texts }, chosen }: { visit: Visit; chosen: typeof views[number] }) {
  return (
    <nav aria-label={texts.leads.views}>
      <ul class="tabs">
        {views.map((view) => (
          <li>
            <a href={`/app/cases?view=${view}`} {...(view === chosen ? { "aria-current": "page" } : {})}>
              {texts.board.views[view]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
