/** Serves pages that links in mails lead to. */
import { Problem } from "../../../core/errors.ts";
import { PageRefusal, type RefusalText } from "./refusal.ts";
import type { PageAnswer, Visit } from "./serve_page.tsx";

/** Runs with the token from the address or the form. A wrong token gives a 404 page with the text `said`. */
export function mailed(
  said: RefusalText,
  run: (visit: Visit, link: string) => Promise<PageAnswer>,
): (visit: Visit) => Promise<PageAnswer> {
  return async (visit) => {
    try {
      return await run(visit, visit.form.get("link") ?? visit.query.get("token") ?? "");
    } catch (error) {
      throw error instanceof Problem && error.status === 404 ? new PageRefusal(404, said) : error;
    }
  };
}
