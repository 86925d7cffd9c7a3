/** `crm company create`: a company with its first user, and what it begins with. */
import { makeToken } from "../core/ids.ts";
import { toJson } from "../core/json.ts";
import { findCountry, findLanguage } from "../core/reference.ts";
import type { Author } from "../db/commit.ts";
import { parseValid } from "../http/validate.ts";
import { createCompany } from "../identity/registration/create.ts";
import { CreateCompany } from "../identity/registration/schema.ts";
import { createCompanyWithExample } from "../sales/start/example.ts";
import type { Options } from "./command.ts";

/** Creates the company. Returns the lines to print. */
export async function makeCompany(author: Author, options: Options): Promise<string[]> {
  const chosen = options.password ?? makePlaceholder();
  const body = parseValid(CreateCompany, {
    name: options.name,
    user: {
      email: options.email,
      first_name: options["first-name"],
      last_name: options["last-name"],
      password: chosen,
    },
    ...describePlace(options),
  }, "");
  const { publicUrl, host, port } = author.deps.config;
  const maker = { ...author, origin: publicUrl ?? `http://${host}:${port}` };
  const create = options["with-defaults"] === true ? createCompanyWithExample : createCompany;
  const answer = await create(maker, body);
  const { id, user } = JSON.parse(toJson(answer.body).text) as Made;
  return [
    `company:  ${id}`,
    `user:     ${user.id} (${body.user.email}, admin)`,
    ...user.teams.map((team) => `team:     ${team.id} (${team.name}, dealer)`),
    ...(options.password === undefined ? [`password: ${chosen}`] : []),
  ];
}

interface Made {
  readonly id: number;
  readonly user: { readonly id: number; readonly teams: readonly { id: number; name: string }[] };
}

/** Returns a password of 120 random bits. */
export function makePlaceholder(): string {
  return makeToken().slice(0, 20);
}

/** Returns the part of the body that says where the company is. A locale names a language too. */
function describePlace({ timezone, locale, country, currency }: Options): Record<string, unknown> {
  const at = country === undefined ? undefined : String(country).toUpperCase();
  const spoken = locale ?? (at !== undefined && findCountry(at) ? `en-${at}` : undefined);
  const language = /^([a-z]{2})-[A-Z]{2}$/.exec(String(spoken))?.[1];
  return {
    ...(timezone === undefined ? {} : { timezone: { name: timezone } }),
    ...(at === undefined ? {} : { billing: { country: at } }),
    ...(spoken === undefined ? {} : { locale: { code: spoken } }),
    ...(language === undefined || !findLanguage(language) ? {} : { language }),
    ...(currency === undefined ? {} : { currency: String(currency).toUpperCase() }),
  };
}
