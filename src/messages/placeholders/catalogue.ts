/**
 * The catalogue of placeholders: their names, the types of templates that have them, and their values. The
 * documentation, `GET /v1/templates/placeholders` and rendering are derived from it.
 */
import { composeContactName, type ContactFacts } from "../../customers/contacts/present.ts";
import type { AccountFacts } from "../../customers/accounts/present.ts";
import { displayName } from "../../customers/accounts/display_name.ts";
import { multiply, subtract, toDecimal, toNumber } from "../../core/decimals.ts";
import type { CustomField, CustomValue, CustomValues } from "../../fields/custom_fields.ts";
import { accountFields, contactFields, type FixedField } from "../../fields/fixed_fields.ts";
import { parseTimestamp } from "../../core/time.ts";
import { sql } from "../../db/statements.ts";
import type { Fields } from "../../fields/field_sets.ts";
import { type Formats, makeFormats, type Place } from "./format.ts";
import { type Found, Html } from "./render.ts";
import type { MessageType } from "../message_type.ts";

/**
 * The records from which placeholders take their values. The placeholders of a record that is null have no
 * value.
 */
export interface Facts {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly place: Place;
  readonly contact: ContactFacts | null;
  readonly account: AccountFacts | null;
  readonly user: UserFacts | null;
  readonly team: OrganisationFacts | null;
  readonly company: OrganisationFacts;
  readonly case: { readonly case_number: string; readonly relations_path_name: string } | null;
  readonly task: TaskFacts | null;
  readonly products: readonly ProductFacts[];
  /** The subject, rendered. */
  readonly subject: string | null;
  /** The text inside the template, rendered and sanitised. */
  readonly content: Html | string | null;
  readonly unsubscribe_url: string | null;
}

export interface UserFacts {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone_number: string | null;
  /** Sanitised HTML. */
  readonly signature_email: string | null;
}

/** SQL: the columns of a company or team that its placeholders need, with the locale and time zone to format by. */
export const organisationColumns =
  sql`name, address_1, address_2, zip_code, city, state, country, phone_number, website, locale, timezone`;

export interface OrganisationFacts {
  readonly name: string;
  readonly address_1: string | null;
  readonly address_2: string | null;
  readonly zip_code: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly phone_number: string | null;
  readonly website: string | null;
}

export interface TaskFacts {
  readonly type: string | null;
  /** Timestamps. */
  readonly start_at: string | null;
  readonly end_at: string | null;
}

export interface ProductFacts {
  readonly name: string | null;
  readonly quantity: number | null;
  readonly type: string | null;
  readonly price: number | null;
  readonly discount: number | null;
  readonly comment: string | null;
}

export interface Placeholder {
  readonly name: string;
  readonly description: string;
  /** The types of templates that have it. */
  readonly types: readonly MessageType[];
  readonly value: (facts: Facts, formats: Formats) => Found;
}

const everywhere: readonly MessageType[] = ["email", "letter"];
const emailOnly: readonly MessageType[] = ["email"];

function placeholder(
  name: string,
  description: string,
  value: Placeholder["value"],
  types = everywhere,
): Placeholder {
  return { name, description, types, value };
}

/** Returns all placeholders in order; the custom fields are those that the viewer sees. */
export function placeholders(fields: Fields): readonly Placeholder[] {
  return [
    ...general,
    ...recordPlaceholders("contact", contactFields, fields.contact.custom, ({ contact }) => contact),
    placeholder(
      "contact.full_name",
      "First and last name.",
      ({ contact }) => contact && composeContactName(contact),
    ),
    ...recordPlaceholders("account", accountFields, fields.account.custom, presentAccount),
    ...others,
  ];
}

/** Returns the values by name. Undefined for names that the type of template does not know. */
export function makeValueLookup(facts: Facts, fields: Fields, type: MessageType): (name: string) => Found {
  const formats = makeFormats(facts.place, type === "letter");
  const known = new Map<string, Placeholder>();
  for (const each of placeholders(fields)) {
    if (each.types.includes(type) && !known.has(each.name)) known.set(each.name, each);
  }
  const values = new Map<string, Found>();
  return (name) => {
    if (values.has(name)) return values.get(name);
    const value = known.get(name)?.value(facts, formats);
    values.set(name, value);
    return value;
  };
}

const general: readonly Placeholder[] = [
  placeholder("subject", "The subject of the e-mail.", ({ subject }) => subject, emailOnly),
  placeholder(
    "content",
    "The text of the message, which stands inside the template.",
    ({ content }) => content,
  ),
  placeholder(
    "unsubscribe_url",
    "The address of the page that ends e-mails of this kind.",
    ({ unsubscribe_url }) => unsubscribe_url,
    emailOnly,
  ),
  placeholder("date", "Today.", ({ now }, formats) => formats.date(now)),
];

/** Fixed fields by name, then custom fields by `custom.` and name. */
function recordPlaceholders(
  kind: "contact" | "account",
  fixed: readonly FixedField[],
  custom: readonly CustomField[],
  pickRecord: (facts: Facts) => Readonly<Record<string, unknown>> | null,
): Placeholder[] {
  return [
    ...fixed.map(({ name, label }) =>
      placeholder(`${kind}.${name}`, `${label} of the ${kind}.`, (facts, formats) => {
        const value = pickRecord(facts)?.[name];
        if (typeof value !== "string") return null;
        return name === "country" ? formats.country(value) : value;
      })
    ),
    ...custom.map((field) =>
      placeholder(`${kind}.custom.${field.name}`, `${field.label}, a custom field.`, (facts, formats) => {
        const values = JSON.parse((pickRecord(facts)?.custom as string | undefined) ?? "{}") as CustomValues;
        return customText(field, values[field.id], formats);
      })
    ),
  ];
}

/** Returns the account with its displayed name: for a consumer, the name of the contact. */
function presentAccount({ account, contact }: Facts): Readonly<Record<string, unknown>> | null {
  if (!account) return null;
  const contact_name = account.b2c === 1 && contact ? composeContactName(contact) : null;
  return { ...account, name: displayName({ name: account.name, contact_name }) };
}

function customText(field: CustomField, value: CustomValue | undefined, formats: Formats): string | null {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return formats.number(value);
  if (field.type === "date" && typeof value === "string") return dateText(value, formats);
  if (field.options.length === 0) return String(value);
  const chosen = new Set(typeof value === "string" ? [value] : value);
  return field.options.filter(({ id }) => chosen.has(id)).map((option) => option.value).join(", ");
}

/** A day has no time zone: noon is on the same day in almost all of them. */
function dateText(day: string, formats: Formats): string | null {
  const ms = parseTimestamp(`${day.slice(0, 10)} 12:00:00`);
  return ms === null ? null : formats.date(ms);
}

const organisation = (kind: "team" | "company", of: (facts: Facts) => OrganisationFacts | null) => {
  const labels: Readonly<Record<keyof OrganisationFacts, string>> = {
    name: "Name",
    address_1: "First address line",
    address_2: "Second address line",
    zip_code: "Zip code",
    city: "City",
    state: "State or region",
    country: "Country",
    phone_number: "Phone number",
    website: "Website",
  };
  return (Object.keys(labels) as (keyof OrganisationFacts)[]).map((name) =>
    placeholder(`${kind}.${name}`, `${labels[name]} of the ${kind}.`, (facts, formats) => {
      const value = of(facts)?.[name] ?? null;
      return name === "country" && value !== null ? formats.country(value) : value;
    })
  );
};

const moment = (end: "start_at" | "end_at", part: "date" | "time") =>
  placeholder(
    `task.${end}_${part}`,
    `The ${part} at which the task ${end === "start_at" ? "starts" : "ends"}.`,
    ({ task }, formats) => {
      const ms = task?.[end] ? parseTimestamp(task[end]) : null;
      return ms === null ? null : formats[part](ms);
    },
  );

/** Columns of a row of `product_details`. */
const columns: Readonly<
  Record<string, [string, (product: ProductFacts, formats: Formats) => string | null]>
> = {
  name: ["Name of the product", ({ name }) => name],
  quantity: ["Quantity", ({ quantity }, formats) => quantity === null ? null : formats.number(quantity)],
  type: ["`product` or `service`", ({ type }) => type],
  price: ["Price of one", ({ price }, formats) => price === null ? null : formats.money(price)],
  discount: [
    "Discount on the row",
    ({ discount }, formats) => discount === null ? null : formats.money(discount),
  ],
  total: [
    "Quantity × price − discount",
    ({ quantity, price, discount }, formats) =>
      price === null ? null : formats.money(computeTotal(quantity ?? 1, price, discount ?? 0)),
  ],
  comment: ["Comment", ({ comment }) => comment],
};

function computeTotal(quantity: number, price: number, discount: number): number {
  return toNumber(subtract(multiply(toDecimal(quantity), toDecimal(price)), toDecimal(discount)));
}

const others: readonly Placeholder[] = [
  placeholder("user.first_name", "First name of the user.", ({ user }) => user?.first_name ?? null),
  placeholder("user.last_name", "Last name of the user.", ({ user }) => user?.last_name ?? null),
  placeholder(
    "user.full_name",
    "First and last name of the user.",
    ({ user }) => user && `${user.first_name} ${user.last_name}`.trim(),
  ),
  placeholder("user.email", "E-mail address of the user.", ({ user }) => user?.email ?? null),
  placeholder("user.phone_number", "Phone number of the user.", ({ user }) => user?.phone_number ?? null),
  placeholder(
    "user.signature",
    "The user's signature, with its formatting.",
    ({ user }) => user?.signature_email ? new Html(user.signature_email) : null,
  ),
  ...organisation("team", ({ team }) => team),
  ...organisation("company", ({ company }) => company),
  placeholder("case.case_number", "Number of the case.", (facts) => facts.case?.case_number ?? null),
  placeholder(
    "case.relations_path_name",
    "Relations path of the case.",
    (facts) => facts.case?.relations_path_name ?? null,
  ),
  placeholder("task.type", "Type of the task.", ({ task }) => task?.type ?? null),
  moment("start_at", "date"),
  moment("start_at", "time"),
  moment("end_at", "date"),
  moment("end_at", "time"),
  placeholder(
    "product_details",
    "A section that repeats for each product.",
    ({ products }, formats) =>
      products.map((product) =>
        new Map(Object.entries(columns).map(([name, [, value]]) => [name, value(product, formats) ?? ""]))
      ),
  ),
  ...Object.entries(columns).map(([name, [description, value]]) =>
    placeholder(
      `product_details.${name}`,
      `${description}; outside of the section, all of them with commas between.`,
      ({ products }, formats) =>
        products.map((product) => value(product, formats)).filter((text) => text).join(", ") || null,
    )
  ),
];
