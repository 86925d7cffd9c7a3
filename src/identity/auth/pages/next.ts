/** Returns the page to continue at. It is always a page of this service, even for a forged `next`. */
export function chooseNextPage(given: URLSearchParams): string {
  const next = given.get("next") ?? "";
  return isOurs.test(next) && !leadsUp.test(next) ? next : "/app";
}

interface Given {
  readonly query: URLSearchParams;
  /** The fields of a POST. */
  readonly form: URLSearchParams;
}

/**
 * Returns the page that signing in leads to after a mail; empty for the first page of the console. Anyone can have a
 * mail sent to anyone, so none leads to the code of a device that its reader is to allow.
 */
export function findNextAfterMail({ query, form }: Given): string {
  const next = chooseNextPage(form.has("next") ? form : query);
  const isLeft = next === "/app" || next.startsWith("/auth/device") || next.length > longestNext;
  return isLeft ? "" : next;
}

/** A mail carries it. */
const longestNext = 1_000;

/** Pages of the console, and those for authorizing applications and devices. */
const isOurs = /^(?:\/auth\/(?:device)?|\/app(?:\/[\w.~%!$&'()*+,;=:@-]+)*)(?:\?[\x21-\x7e]*)?$/;
/** A browser takes an encoded dot in a path as a dot. */
const leadsUp = /\/(?:\.|%2e){2}/i;
