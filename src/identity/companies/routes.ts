import { clientEndpoint, type Endpoint } from "../../http/endpoint.ts";
import { CreateCompany, CreatedCompany } from "./schema.ts";
import { createCompany } from "./verbs.ts";

export const companyEndpoints: Endpoint[] = [
  clientEndpoint("trusted", {
    method: "post",
    path: "/v1/companies",
    operation: "createCompany",
    tag: "Companies",
    summary: "Make a company with its first user",
    body: CreateCompany,
    answers: { 201: { description: "The new company, with its first user.", schema: CreatedCompany } },
  }, (ctx, { body }) => createCompany(ctx, body)),
];
