/** Fields of companies, their settings, and their first user. */
import { type TestCompany } from "../../support/app.ts";
import { choice, code, email, flag, group, id, type Need, phone, text, url } from "./rules.ts";
import {
  any,
  type Fields,
  listAddressRules,
  listLocaleRules,
  listTimezoneRules,
  makeSomeone,
  makeWorld,
  readEmail,
  sendTo,
} from "./world.ts";

export const ofCompanies: readonly Fields[] = [
  {
    operation: "createCompany",
    of: "a new company",
    success: 201,
    async open(app) {
      const world = await makeWorld(app);
      const client = await app.trustedClient();
      return {
        rules: [
          ...company("always"),
          group("user", "always"),
          email("user.email", { need: "always", taken: await readEmail(app, world) }),
          text("user.first_name", 255, { least: 1, need: "always" }),
          text("user.last_name", 255, { least: 1, need: "always" }),
          text("user.password", 1024, { least: 7, need: "always", hidden: true }),
          ...listTimezoneRules("user.", "UTC"),
          phone("user.phone_number"),
          text("user.job_title", 255),
          flag("user.system_user"),
        ],
        least: () => ({ name: "Nordlicht", user: makeSomeone() }),
        send: (body) => app.call(client, "POST", "/v1/companies", body),
      };
    },
  },
  {
    operation: "updateCompany",
    of: "a changed company",
    success: 200,
    async open(app) {
      const world = await makeWorld(app);
      const send = sendTo(world, "PUT", `/v1/companies/${world.company.id}`);
      return { rules: company("never null"), least: () => ({}), send };
    },
  },
  {
    operation: "updateSettings",
    of: "the settings of a company",
    success: 200,
    async open(app) {
      const world = await makeWorld(app);
      const account = async ({ admin }: TestCompany) =>
        (await admin.call("POST", "/v1/accounts", { fixed_fields: [{ name: "name", value: "A" }] })).body.id;
      const foreign = [await account(world.other), "01939c5e-7d3a-7c3f-8a55-0a4be5a1a001"];
      return {
        rules: [
          choice("theme", ["default", "neutral", "blue", "red"], ["pink", "Blue", ""], {
            need: { cleared: "default" },
          }),
          group("product", any),
          choice("product.mode", ["simple", "advanced"], ["none", ""], { need: { cleared: "advanced" } }),
          id("default_account_id", "string", await account(world.company), foreign),
          flag("teams_can_create_relations_paths"),
          flag("groups_can_create_relations_paths"),
          flag("use_social_lookup"),
          flag("email_tracking"),
        ],
        least: () => ({}),
        send: sendTo(world, "PUT", `/v1/companies/${world.company.id}/settings`),
      };
    },
  },
];

function company(need: Need) {
  return [
    text("name", 100, { least: 1, need }),
    ...listTimezoneRules("", "UTC"),
    group("billing", any),
    email("billing.invoice_email"),
    ...listAddressRules("billing."),
    phone("phone_number"),
    url("website"),
    text("vat", 16),
    code("language", ["de", "en"], ["DE", "deu", "xx", ""], {
      shown: "language.code",
      need: { cleared: "en" },
    }),
    ...listLocaleRules("en-GB"),
    code("currency", ["CHF", "EUR"], ["eur", "EU", "XXY", "€", ""], {
      shown: "currency.code",
      need: { cleared: "EUR" },
    }),
  ];
}
