/** Shared by the tables of fields: companies to try them in, and common fields. */
import { type Reply, type TestApp, type TestCompany } from "../../support/app.ts";
import { code, freshEmail, group, type Need, type Rule, text, unseen } from "./rules.ts";

export interface Opened {
  readonly rules: readonly Rule[];
  /** A body with required fields only. */
  least(): object;
  send(body: object): Promise<Reply>;
}

export interface Fields {
  readonly operation: string;
  /** The operation that the fields belong to. */
  readonly of: string;
  readonly success: number;
  /** Fields that other files test, with the fields inside them. */
  readonly elsewhere?: readonly string[];
  open(app: TestApp): Promise<Opened>;
}

export const any: Need = { cleared: unseen };

export const listTimezoneRules = (prefix: string, cleared: string) => [
  group(`${prefix}timezone`, any),
  code(
    `${prefix}timezone.name`,
    ["Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC"],
    ["Mars/Base", "+01:00", "CEST", "europe/berlin", ""],
    { need: { cleared } },
  ),
];
export const listLocaleRules = (cleared: string) => [
  group("locale", any),
  code("locale.code", ["de-DE", "fr-CH"], ["de", "de_DE", "DE-de", "xx-DE", "de-XX", ""], {
    need: { cleared },
  }),
];
export const makeCountryRule = (prefix: string) =>
  code(`${prefix}country`, ["DE", "GB"], ["de", "DEU", "XX", "Germany", ""], {
    shown: `${prefix}country.code`,
  });
export const listAddressRules = (prefix: string) => [
  text(`${prefix}address_1`, 100),
  text(`${prefix}address_2`, 100),
  text(`${prefix}zip_code`, 16),
  text(`${prefix}city`, 60),
  text(`${prefix}state`, 60),
  makeCountryRule(prefix),
];

/** An id that does not exist. */
export const nothing = 999_999;

export interface World {
  readonly company: TestCompany;
  readonly other: TestCompany;
  readonly team: number;
  readonly foreignTeam: number;
  readonly role: number;
  readonly foreignRole: number;
}

export async function makeWorld(app: TestApp): Promise<World> {
  const [company, other] = [await app.company(), await app.company("Other")];
  // The premium plan, for fields that require it.
  await app.deps.db.write([{ sql: "update companies set plan_id = 2", args: [] }]);
  const createRole = async ({ admin }: TestCompany) =>
    (await admin.call("POST", "/v1/roles", { name: "Agency" })).body.id as number;
  return {
    company,
    other,
    team: await company.team(),
    foreignTeam: await other.team(),
    role: await createRole(company),
    foreignRole: await createRole(other),
  };
}

/** Sends bodies to one path as the company's admin. */
export function sendTo({ company: { admin } }: World, method: string, path: string) {
  return (body: object) => admin.call(method, path, body);
}

export const makeSomeone = () => ({
  email: freshEmail(),
  first_name: "Ada",
  last_name: "Byron",
  password: "ten chars!",
});

export async function readEmail(app: TestApp, { other }: World): Promise<string> {
  const [row] = await app.sql("select email from users where id = ?", other.admin.id);
  return row!.email as string;
}
