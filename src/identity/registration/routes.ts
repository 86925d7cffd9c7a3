import { declareClientEndpoint, type Endpoint } from "../../http/endpoint.ts";
import { createCompany } from "./create.ts";
import { CreateCompany, CreatedCompany } from "./schema.ts";

export const registrationEndpoints: readonly Endpoint[] = [
  declareClientEndpoint("trusted", {
    method: "post",
    path: "/v1/companies",
    operation: "createCompany",
    tag: "Companies",
    summary: "Create a company with its first user",
    body: CreateCompany,
    answers: { 201: { description: "The new company, with its first user.", schema: CreatedCompany } },
  }, (ctx, { body }) => createCompany(ctx, body)),
];
