/** The parameters of an address that a list follows. Malformed ones are named on the page instead of being sent. */

/** The forms of values that several lists take. */
export const forms = {
  caseView: /^(?:board|list)$/,
  ids: /^\d{1,15}(?:,\d{1,15}){0,49}$/,
  search: /^[^\0]{1,200}$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  uuids: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?:,[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}){0,19}$/i,
} as const;

export interface Asked {
  readonly values: Readonly<Record<string, string>>;
  /** The names of those that mean nothing. */
  readonly ignored: readonly string[];
}

/** Reads the parameters by their forms, and the number of the page. */
export function readParameters(query: URLSearchParams, known: Readonly<Record<string, RegExp>>): Asked {
  const values: Record<string, string> = {};
  const ignored: string[] = [];
  for (const [name, form] of Object.entries({ ...known, page: /^[1-9]\d{0,6}$/ })) {
    const value = query.get(name)?.trim();
    if (!value) continue;
    if (form.test(value)) values[name] = value;
    else ignored.push(name);
  }
  return { values, ignored };
}
