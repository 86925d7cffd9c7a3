/** Returns the page to continue at. It is always a page of this service, even for a forged `next`. */
export function chooseNextPage(given: URLSearchParams): string {
  const next = given.get("next") ?? "";
  return isOurs.test(next) && !next.includes("/..") ? next : "/app";
}

/** Pages of the console, and those for authorizing applications and devices. */
const isOurs = /^(?:\/auth\/(?:device)?|\/app(?:\/[\w.~%!$&'()*+,;=:@-]+)*)(?:\?[\x21-\x7e]*)?$/;
