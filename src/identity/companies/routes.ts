import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { Company, CompanySettings, Logos } from "./record_schema.ts";
import { logoParts, setLogos } from "./logos.ts";
import { UpdateCompany, UpdateSettings } from "./schema.ts";
import { deleteCompany } from "./delete.ts";
import { getCompany, getSettings } from "./get.ts";
import { type AccountOfCompany, updateSettings } from "./update_settings.ts";
import { updateCompany } from "./update.ts";

const tag = "Companies";
const one = { company_id: "integer" } as const;
const admins = "For users of type admin.";

/** `accountOf` comes from the accounts feature, which is in a layer above this one. */
export function declareCompanyEndpoints(accountOf: AccountOfCompany): Endpoint[] {
  return [
    endpoint({
      method: "get",
      path: "/v1/companies/:company_id",
      operation: "getCompany",
      tag,
      summary: "Get your company",
      params: one,
      answers: { 200: { description: "The company.", schema: Company } },
    }, (ctx, { params }) => getCompany(ctx, params.company_id)),
    endpoint({
      method: "put",
      path: "/v1/companies/:company_id",
      operation: "updateCompany",
      tag,
      summary: "Update your company",
      description: admins,
      params: one,
      body: UpdateCompany,
      answers: { 200: { description: "The company.", schema: Company } },
    }, (ctx, { params, body }) => updateCompany(ctx, params.company_id, body)),
    endpoint({
      method: "delete",
      path: "/v1/companies/:company_id",
      operation: "deleteCompany",
      tag,
      summary: "Delete your company",
      description:
        `${admins} Ends all its tokens at once, including that of the call, and erases its data soon after.`,
      params: one,
      answers: { 204: { description: "The company is deleted.", schema: null } },
    }, (ctx, { params }) => deleteCompany(ctx, params.company_id)),
    endpoint({
      method: "post",
      path: "/upload/company-logo",
      operation: "setCompanyLogos",
      tag,
      summary: "Set the logos of your company",
      description: admins,
      multipart: logoParts,
      answers: {
        200: { description: "The addresses of the logos, and details of the company.", schema: Logos },
      },
    }, (ctx, { files }) => setLogos(ctx, files)),
    endpoint({
      method: "get",
      path: "/v1/companies/:company_id/settings",
      operation: "getSettings",
      tag,
      summary: "Get the settings of your company",
      params: one,
      answers: { 200: { description: "The settings.", schema: CompanySettings } },
    }, (ctx, { params }) => getSettings(ctx, params.company_id)),
    endpoint({
      method: "put",
      path: "/v1/companies/:company_id/settings",
      operation: "updateSettings",
      tag,
      summary: "Update the settings of your company",
      description: admins,
      params: one,
      body: UpdateSettings,
      answers: { 200: { description: "The settings.", schema: CompanySettings } },
    }, (ctx, { params, body }) => updateSettings(ctx, params.company_id, body, accountOf)),
  ];
}
