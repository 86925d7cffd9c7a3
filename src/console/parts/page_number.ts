/** The number of the page that an address names. */
export function pageOf(query: URLSearchParams): { readonly page: string; readonly isKnown: boolean } {
  const given = query.get("page") ?? "1";
  const isKnown = /^[1-9]\d{0,6}$/.test(given);
  return { page: isKnown ? given : "1", isKnown };
}
