/**
 * Proposes the field of each column of a file by its name: as the API does, else by what people call the field in
 * English and in German.
 */
import { findDelimiter } from "../../integration/reading/delimiter.ts";
import { decoding, EncodingJudge } from "../../integration/reading/encoding.ts";
import { type Mappable, plainName, proposeMapping } from "../../integration/reading/headers.ts";
import { openRows } from "../../integration/reading/rows.ts";
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
};

/** Returns the mapping of all columns; null leaves one out. */
export function proposeFields(
  columns: readonly string[],
  fields: readonly Mappable[],
): Record<string, string | null> {
  const mapping = proposeMapping(columns, fields);
  const used = new Set(Object.values(mapping));
  for (const column of columns) {
    if (mapping[column] !== null) continue;
    const plain = plainName(column);
    const field = fields.find((each) => !used.has(each.name) && namesOf(each).includes(plain));
    if (!field) continue;
    mapping[column] = field.name;
    used.add(field.name);
  }
  return mapping;
}

/** A field of the account is also called by both, such as "Firma: Ort". */
function namesOf({ name }: Mappable): string[] {
  const parts = name.split(".");
  const last = parts.at(-1)!;
  const own = [
    ...called[last] ?? [],
    ...(parts[0] === "consent" ? [] : [german.fixedFields[last] ?? []].flat()),
  ];
  const consent = parts[0] === "consent" ? consentNames(last) : [];
  const ofAccount = parts[0] === "account"
    ? own.flatMap((each) => [`Firma: ${each}`, `Company: ${each}`])
    : [];
  return [...own, ...consent, ...ofAccount].map(plainName);
}

function consentNames(channel: string): string[] {
  const word = german.customers.consentChannels[channel as keyof typeof german.customers.consentChannels];
  return [`Consent ${channel}`, ...(word ? [`Einwilligung ${word}`, `Einwilligung: ${word}`] : [])];
}

/** Bytes in which the names of the columns are looked for. */
const headBytes = 256 * 1024;

/** Returns the names of the columns of a csv file; null when they cannot be read. */
export async function readColumns(file: Blob): Promise<readonly string[] | null> {
  try {
    const head = file.slice(0, headBytes);
    const judge = new EncodingJudge();
    judge.add(new Uint8Array(await head.arrayBuffer()));
    const encoding = judge.encoding({ isWhole: false });
    const text = new Response(
      head.stream().pipeThrough(decoding(encoding)).pipeThrough(new TextEncoderStream()),
    );
    const delimiter = findDelimiter(await text.text());
    const { columns, rows } = await openRows(head.stream(), { format: "csv", encoding, delimiter });
    await rows.return(undefined);
    const isUsable = columns.length > 0 && new Set(columns).size === columns.length;
    return isUsable ? columns : null;
  } catch {
    return null;
  }
}
