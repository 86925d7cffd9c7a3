/** Makes the body of a call from the fields of a form. */

/** How the text of a field becomes a value. An empty field is left out, unless the text is needed. */
export type MemberKind = "text" | "needed" | "integer" | "boolean" | "texts" | "integers";

/** Returns the members that have a value. The API checks them. */
export function makeBody(
  form: FormData,
  members: Readonly<Record<string, MemberKind>>,
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, kind] of Object.entries(members)) {
    const sent = form.getAll(name).filter((value) => typeof value === "string" && value !== "") as string[];
    if (kind === "texts") body[name] = sent;
    else if (kind === "integers") body[name] = sent.map(parseInteger);
    else if (kind === "boolean") body[name] = sent.length > 0;
    else if (kind === "needed") body[name] = sent[0] ?? "";
    else if (sent.length > 0) body[name] = kind === "integer" ? parseInteger(sent[0]!) : sent[0]!;
  }
  return body;
}

/** Returns other texts as they are, so that the API refuses them. */
function parseInteger(text: string): number | string {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}
