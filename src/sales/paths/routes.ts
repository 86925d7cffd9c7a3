import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createPath } from "./create.ts";
import { getPath, listPaths } from "./queries.ts";
import { CreatePathBody, PathListQuery, RelationsPath, RelationsPathPage } from "./schema.ts";

const tag = "Relations paths";

export const pathEndpoints: Endpoint[] = [
  endpoint({
    method: "get",
    path: "/v1/relations-paths",
    operation: "listRelationsPaths",
    tag,
    summary: "Relations paths of the company, of own teams and of own groups",
    query: PathListQuery,
    answers: { 200: { description: "A page of relations paths.", schema: RelationsPathPage } },
  }, (ctx, { query, url }) => listPaths(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/relations-paths",
    operation: "createRelationsPath",
    tag,
    summary: "Make a relations path",
    description: "For admins; for group admins and team admins as far as the company's settings allow.",
    body: CreatePathBody,
    answers: { 201: { description: "The new relations path.", schema: RelationsPath } },
  }, (ctx, { body }) => createPath(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/relations-paths/:relations_path_id",
    operation: "getRelationsPath",
    tag,
    summary: "One relations path",
    params: { relations_path_id: "uuid" },
    answers: { 200: { description: "The relations path.", schema: RelationsPath } },
  }, (ctx, { params }) => getPath(ctx, params.relations_path_id)),
];
