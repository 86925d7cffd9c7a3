/** Asks before a customer is made that is there already, by the name or the e-mail address. */
import { Question } from "../refused_change.ts";
import type { Visit } from "../visit.ts";

type Values = readonly { readonly id: number | string; readonly value: unknown }[];

interface Find {
  /** Null where the account is the find. */
  readonly contact: { readonly id: string; readonly name: string | null } | null;
  readonly account: { readonly id: string; readonly name: string | null };
}

/** Ids of fixed fields. */
const [accountName, firstName, lastName, email] = [1, 12, 13, 14];

export async function askAboutAccounts(visit: Visit, fields: Values): Promise<void> {
  await ask(visit, "accounts", { name: getText(fields, accountName) });
}

export async function askAboutContacts(visit: Visit, fields: Values): Promise<void> {
  const [first, last] = [getText(fields, firstName), getText(fields, lastName)];
  const name = first && last ? parseSearchText(`${first} ${last}`) : null;
  await ask(visit, "contacts", { email: getText(fields, email), name });
}

async function ask(
  { call, form, texts }: Visit,
  kind: "accounts" | "contacts",
  body: Readonly<Record<string, string | null>>,
): Promise<void> {
  if (form.get("asked") === "yes" || Object.values(body).every((value) => value === null)) return;
  const { data } = await call<{ data: readonly Find[] }>("findContactDuplicates", { body });
  const found = data.flatMap(({ contact, account }) => {
    if (kind === "contacts") return contact ?? [];
    return contact === null ? account : [];
  });
  if (found.length === 0) return;
  throw new Question(
    found.map(({ id, name }) => ({ href: `/app/${kind}/${id}`, text: name ?? texts.leads.unnamed })),
  );
}

function getText(fields: Values, id: number): string | null {
  const value = fields.find((field) => field.id === id)?.value;
  return typeof value === "string" ? parseSearchText(value) : null;
}

/** Returns a text that can be looked for; the call that follows refuses others at their fields. */
export function parseSearchText(text: string): string | null {
  return /^\P{Cc}{1,255}$/u.test(text) ? text : null;
}
