/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Administration: what a company is set up with. */
import { requireAdministration } from "../parts/administration.ts";
import type { Page } from "../page.ts";

const pages = ["users", "teams", "processes", "lead-types"] as const;

export const adminPage: Page = {
  path: "/app/admin",
  section: "administration",
  show(visit) {
    requireAdministration(visit);
    const { sections, admin: texts } = visit.texts;
    return Promise.resolve({
      title: sections.administration,
      body: (
        <ul class="rows">
          {pages.map((page) => (
            <li key={page}>
              <div class="what">
                <a href={`/app/admin/${page}`}>{texts.pages[page]}</a>
                <span class="sub">{texts.about[page]}</span>
              </div>
            </li>
          ))}
        </ul>
      ),
    });
  },
};
