/** Proposes the fields of columns that the API does not know, by what people call them in English and in German. */
import { simplifyName } from "../../core/text.ts";
import { german } from "../texts/de.ts";

/** What people call a field, by the last part of its name in the API. */
const called: Readonly<Record<string, readonly string[]>> = {
  name: [
    "Company",
    "Company name",
    "Account",
    "Account name",
    "Organisation",
    "Organization",
    "Firma",
    "Firmenname",
    "Unternehmen",
    "Kunde",
  ],
  full_name: [
    "Name",
    "Contact",
    "Contact person",
    "Person",
    "Ansprechpartner",
    "Ansprechpartnerin",
    "Kontakt",
  ],
  first_name: ["Given name", "Forename", "Rufname"],
  last_name: ["Surname", "Family name", "Familienname", "Zuname"],
  salutation: ["Mr/Mrs", "Form of address"],
  email: ["Mail", "Email address", "E-mail address", "E-Mail-Adresse", "Mailadresse"],
  phone_number: ["Phone", "Telephone", "Mobile", "Cell", "Tel", "Telefon", "Telefon-Nr", "Mobil", "Handy"],
  address: ["Street", "Straße", "Strasse", "Straße und Hausnummer", "Anschrift"],
  zip_code: ["Zip", "Postcode", "Postal code", "PLZ"],
  city: ["Town", "Place", "Stadt", "Wohnort"],
  state_region: ["State", "Region", "Bundesland", "Kanton"],
  vat: ["VAT", "VAT ID", "USt-ID", "USt-IdNr", "UID", "Umsatzsteuernummer"],
  website: ["Web", "URL", "Homepage", "Internet", "Webseite"],
  title: ["Job title", "Position", "Akademischer Titel"],
  external_id: ["Customer number", "Customer no", "Reference", "Kundennummer", "Kunden-Nr", "Nummer"],
  created_at: ["Created", "Date created", "Angelegt am", "Erstellt am"],
  b2c: ["Private person", "Privatkunde", "Privatperson"],
  lead_type: ["Type", "Type of lead", "Leadtyp", "Art der Anfrage", "Anfrageart"],
  lead_source: ["Source", "Origin", "Channel", "Quelle", "Herkunft", "Kanal"],
  interest: ["Enquiry", "Inquiry", "Message", "Request", "Interesse", "Anfrage", "Nachricht"],
  external_weight: ["Weight", "Gewicht"],
  category: ["Categories", "Product group", "Kategorie", "Kategorien", "Warengruppe"],
};

/** What people call the name and the fields of a product. */
const calledOfProducts: Readonly<Record<string, readonly string[]>> = {
  name: ["Product", "Article", "Item", "Produkt", "Artikel", "Bezeichnung"],
  list_price: ["Price", "Unit price", "Preis", "Listenpreis", "Einzelpreis", "VK"],
};

interface Mappable {
  readonly name: string;
  readonly label: string;
}

/**
 * Returns the fields of those columns that it knows. `fields`: those of records of the `entity` that no other column
 * sets.
 */
export function proposeFields(
  columns: readonly string[],
  fields: readonly Mappable[],
  entity: string,
): Record<string, string> {
  const known = entity === "products" ? { ...called, ...calledOfProducts } : called;
  const used = new Set<string>();
  return Object.fromEntries(columns.flatMap((column) => {
    const plain = simplifyName(column);
    const field = fields.find((each) => !used.has(each.name) && listNames(each, known).includes(plain));
    if (!field) return [];
    used.add(field.name);
    return [[column, field.name]];
  }));
}

/** A field of the account is also called by both, such as "Firma: Ort". A column that is just "Name" is no account's. */
function listNames({ name, label }: Mappable, known: typeof called): string[] {
  const parts = name.split(".");
  const last = parts.at(-1)!;
  if (parts.at(-2) === "consent") return listConsentNames(last).map(simplifyName);
  const own = [
    ...known[last] ?? [],
    german.fixedFields[last] ?? [],
    last,
    label.replace(/^(?:Account|Contact): /, ""),
  ].flat().filter((each) => name !== "account.name" || simplifyName(each) !== "name");
  const ofAccount = parts[0] === "account"
    ? own.flatMap((each) => [`Firma: ${each}`, `Company: ${each}`])
    : [];
  return [...own, ...ofAccount].map(simplifyName);
}

function listConsentNames(channel: string): string[] {
  const word = german.customers.consentChannels[channel as keyof typeof german.customers.consentChannels];
  return [`Consent ${channel}`, ...(word ? [`Einwilligung ${word}`, `Einwilligung: ${word}`] : [])];
}
