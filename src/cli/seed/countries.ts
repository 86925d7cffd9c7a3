/** The countries that made-up companies and people come from. */

export interface Country {
  /** The generator library's name for its language. */
  readonly faker: "de" | "en_GB" | "es" | "fr" | "it" | "nl" | "pl" | "sv";
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly locale: string;
  readonly timezone: string;
  /** How letters address a woman, and a man. */
  readonly madam: string;
  readonly sir: string;
  /** Words that names of companies contain. */
  readonly trades: readonly string[];
  /** Legal forms, at the end of names of companies. */
  readonly forms: readonly string[];
}

export const countries: readonly Country[] = [
  {
    faker: "de",
    code: "DE",
    locale: "de-DE",
    timezone: "Europe/Berlin",
    madam: "Frau",
    sir: "Herr",
    trades: [
      "Logistik",
      "Bau",
      "Elektrotechnik",
      "Gebäudereinigung",
      "Spedition",
      "Pflegedienst",
      "Metallbau",
    ],
    forms: ["GmbH", "GmbH & Co. KG", "AG", "OHG"],
  },
  {
    faker: "en_GB",
    code: "GB",
    locale: "en-GB",
    timezone: "Europe/London",
    madam: "Ms",
    sir: "Mr",
    trades: ["Logistics", "Builders", "Catering", "Engineering", "Couriers", "Care Services", "Roofing"],
    forms: ["Ltd", "LLP", "plc"],
  },
  {
    faker: "es",
    code: "ES",
    locale: "es-ES",
    timezone: "Europe/Madrid",
    madam: "Sra.",
    sir: "Sr.",
    trades: ["Logística", "Construcciones", "Transportes", "Instalaciones", "Jardinería", "Cerámica"],
    forms: ["S.L.", "S.A.", "S.L.U."],
  },
  {
    faker: "fr",
    code: "FR",
    locale: "fr-FR",
    timezone: "Europe/Paris",
    madam: "Mme",
    sir: "M.",
    trades: ["Transports", "Bâtiment", "Électricité", "Traiteur", "Menuiserie", "Ambulances", "Paysage"],
    forms: ["SARL", "SAS", "SA"],
  },
  {
    faker: "it",
    code: "IT",
    locale: "it-IT",
    timezone: "Europe/Rome",
    madam: "Sig.ra",
    sir: "Sig.",
    trades: ["Trasporti", "Costruzioni", "Impianti", "Serramenti", "Ristorazione", "Arredamenti"],
    forms: ["S.r.l.", "S.p.A.", "S.n.c."],
  },
  {
    faker: "nl",
    code: "NL",
    locale: "nl-NL",
    timezone: "Europe/Amsterdam",
    madam: "Mevrouw",
    sir: "De heer",
    trades: ["Transport", "Bouw", "Installatietechniek", "Schoonmaak", "Koeriers", "Thuiszorg", "Hoveniers"],
    forms: ["B.V.", "V.O.F.", "N.V."],
  },
  {
    faker: "pl",
    code: "PL",
    locale: "pl-PL",
    timezone: "Europe/Warsaw",
    madam: "Pani",
    sir: "Pan",
    trades: ["Transport", "Budownictwo", "Usługi", "Instalacje", "Stolarstwo", "Gastronomia"],
    forms: ["Sp. z o.o.", "S.A.", "Sp. k."],
  },
  {
    faker: "sv",
    code: "SE",
    locale: "sv-SE",
    timezone: "Europe/Stockholm",
    madam: "Fru",
    sir: "Herr",
    trades: ["Åkeri", "Bygg", "El & Rör", "Hemtjänst", "Måleri", "Trädgård", "Snickeri"],
    forms: ["AB", "HB"],
  },
];
