import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { SsoDrivers, UpdateSso } from "./schema.ts";
import { getSso } from "./get.ts";
import { updateSso } from "./update.ts";

const tag = "Companies";
const one = { company_id: "integer" } as const;
const answers = { 200: { description: "All drivers, in their order.", schema: SsoDrivers } };

export const ssoEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/companies/:company_id/sso",
    operation: "getSso",
    tag,
    summary: "List the single sign-on drivers of your company",
    description: "For users of type admin.",
    params: one,
    answers,
  }, (ctx, { params }) => getSso(ctx, params.company_id)),
  endpoint({
    method: "put",
    path: "/v1/companies/:company_id/sso",
    operation: "updateSso",
    tag,
    summary: "Set the single sign-on drivers of your company",
    description: "For users of type admin. The body replaces the whole list. " +
      "Users of a removed driver keep their record and session, but can sign in through it again only when " +
      "a driver of the same name is back. Until then, those without a password " +
      "can choose one by `POST /v1/reset-password`. " +
      "Register `<origin>/auth/sso/<company id>/<provider_name>/callback` at the provider as the redirect " +
      "address, with the name escaped as in URLs.",
    params: one,
    body: UpdateSso,
    answers,
  }, (ctx, { params, body }) => updateSso(ctx, params.company_id, body)),
];
