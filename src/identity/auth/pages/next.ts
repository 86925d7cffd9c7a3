/** Where to go on: one of our pages, whatever the form or the query says. */
export function nextOf(given: URLSearchParams): string {
  const next = given.get("next") ?? "";
  return /^\/auth\/(?:device)?(?:\?[\x21-\x7e]*)?$/.test(next) ? next : "/auth/sign-in";
}
