/** Asks before a customer is made that is there already, by the name or the e-mail address. */
import { Question } from "../refused.ts";
import type { PageOf } from "../parts/list.tsx";
import type { Visit } from "../visit.ts";
import { type AccountRecord, type ContactRecord, nameOf } from "./load.ts";

type Values = readonly { readonly id: number | string; readonly value: unknown }[];

/** Ids of fixed fields. */
const [accountName, firstName, lastName, email] = [1, 12, 13, 14];

export async function askAboutAccounts(visit: Visit, fields: Values): Promise<void> {
  const name = textOf(fields, accountName);
  if (name === null || visit.form.get("asked") === "yes") return;
  const filter = [{ field: "account.fixed_fields.name", operator: "eq", value: name }];
  const { data } = await visit.call<PageOf<AccountRecord>>("filterAccounts", ask(filter));
  askAbout(visit, data, "accounts");
}

export async function askAboutContacts(visit: Visit, fields: Values): Promise<void> {
  if (visit.form.get("asked") === "yes") return;
  const [first, last, address] = [firstName, lastName, email].map((id) => textOf(fields, id));
  const same = [
    ...(address ? [{ email: address }] : []),
    ...(first && last ? [{ first_name: first, last_name: last }] : []),
  ];
  if (same.length === 0) return;
  const either = ["b2b", "b2c"].flatMap((kind) =>
    same.map((values) => ({
      and: Object.entries(values).map(([name, value]) => ({
        field: `${kind}_contact.fixed_fields.${name}`,
        operator: "eq",
        value,
      })),
    }))
  );
  const { data } = await visit.call<PageOf<ContactRecord>>("filterContacts", ask([{ or: either }]));
  askAbout(visit, data, "contacts");
}

function ask(filter: unknown[]) {
  return { query: { per_page: "5" }, body: { filter } };
}

function askAbout({ texts }: Visit, found: readonly (AccountRecord | ContactRecord)[], kind: string): void {
  if (found.length === 0) return;
  throw new Question(found.map((one) => ({
    href: `/app/${kind}/${one.id}`,
    text: nameOf(one, texts.leads.unnamed),
  })));
}

/** Longer texts than a filter takes are refused by the call that follows. */
function textOf(fields: Values, id: number): string | null {
  const value = fields.find((field) => field.id === id)?.value;
  return typeof value === "string" && value.length <= 255 ? value : null;
}
