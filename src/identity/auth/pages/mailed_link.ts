/** Serves pages that links in mails lead to. */
import { Problem } from "../../../core/errors.ts";
import { findNextAfterMail } from "./next.ts";
import { PageRefusal } from "./refusal.ts";
import type { PageAnswer, Visit } from "./serve_page.tsx";
import type { MessageName } from "./words.tsx";

/** Returns a handler that calls `run` with the token from form or query. A 404 becomes a page with `said`. */
export function handleMailedLink(
  said: MessageName,
  run: (visit: Visit, link: string) => Promise<PageAnswer>,
): (visit: Visit) => Promise<PageAnswer> {
  return async (visit) => {
    try {
      return await run(visit, visit.form.get("link") ?? visit.query.get("token") ?? "");
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      throw new PageRefusal(404, said, {}, findNextAfterMail(visit));
    }
  };
}
