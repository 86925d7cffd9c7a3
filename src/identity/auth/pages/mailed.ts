/** Pages that links in mails lead to: what they are told by a token that serves no more. */
import { Problem } from "../../../core/errors.ts";
import { PageRefusal, type RefusalText } from "./refusal.ts";
import type { PageAnswer, Visit } from "./serve_page.tsx";

/** Runs with the token of the mail, from the address or the form; a wrong one is answered by a page of 404. */
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
