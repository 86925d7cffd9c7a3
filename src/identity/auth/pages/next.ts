/** Returns the page to continue at. It is always a page of this service, even for a forged `next`. */
export function nextOf(given: URLSearchParams): string {
  const next = given.get("next") ?? "";
  return /^\/auth\/(?:device)?(?:\?[\x21-\x7e]*)?$/.test(next) ? next : "/auth/sign-in";
}
