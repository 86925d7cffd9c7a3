import { CustomerImpact } from "../../customers/deletion/schema.ts";
import type { Blocker } from "../../db/blockers.ts";
import { type Endpoint, endpoint } from "../../http/endpoint.ts";
import { createPath } from "./create.ts";
import { deletePath, getPathImpact } from "./delete.ts";
import { getPath, listPaths } from "./queries.ts";
import { CreatePathBody, PathChange, PathListQuery, RelationsPath, RelationsPathPage } from "./schema.ts";
import { updatePath } from "./update.ts";

const tag = "Relations paths";
const one = { relations_path_id: "uuid" } as const;
const makers = "For admins, and for group and team admins as far as the settings of the company allow.";

/** `blockers`: what names relations paths. */
export const declarePathEndpoints = (blockers: readonly Blocker[]): Endpoint[] => [
  endpoint({
    method: "get",
    path: "/v1/relations-paths",
    operation: "listRelationsPaths",
    tag,
    summary: "List the relations paths of the company and of the caller's teams and groups",
    query: PathListQuery,
    answers: { 200: { description: "A page of relations paths.", schema: RelationsPathPage } },
  }, (ctx, { query, url }) => listPaths(ctx, query, url)),
  endpoint({
    method: "post",
    path: "/v1/relations-paths",
    operation: "createRelationsPath",
    tag,
    summary: "Create a relations path",
    description: makers,
    body: CreatePathBody,
    answers: { 201: { description: "The new relations path.", schema: RelationsPath } },
  }, (ctx, { body }) => createPath(ctx, body)),
  endpoint({
    method: "get",
    path: "/v1/relations-paths/:relations_path_id",
    operation: "getRelationsPath",
    tag,
    summary: "Get a relations path",
    params: one,
    answers: { 200: { description: "The relations path.", schema: RelationsPath } },
  }, (ctx, { params }) => getPath(ctx, params.relations_path_id)),
  endpoint({
    method: "put",
    path: "/v1/relations-paths/:relations_path_id",
    operation: "updateRelationsPath",
    tag,
    summary: "Change a relations path",
    description: `${makers} Cases keep a milestone that they have done when it is retired.`,
    params: one,
    body: PathChange,
    answers: { 200: { description: "The updated relations path.", schema: RelationsPath } },
  }, (ctx, { params, body }) => updatePath(ctx, params.relations_path_id, body)),
  endpoint({
    method: "get",
    path: "/v1/relations-paths/:relations_path_id/delete-impact",
    operation: "getRelationsPathDeleteImpact",
    tag,
    summary: "Get the impact of deleting a relations path",
    description: makers,
    params: one,
    answers: { 200: { description: "The records that prevent the deletion.", schema: CustomerImpact } },
  }, (ctx, { params }) => getPathImpact(ctx, blockers, params.relations_path_id)),
  endpoint({
    method: "delete",
    path: "/v1/relations-paths/:relations_path_id",
    operation: "deleteRelationsPath",
    tag,
    summary: "Delete a relations path",
    description: `${makers} A path that cases, lead types or approved campaigns use cannot be deleted.`,
    params: one,
    answers: { 204: { description: "The relations path is deleted.", schema: null } },
    conflicts: ["delete_blocked"],
  }, (ctx, { params }) => deletePath(ctx, blockers, params.relations_path_id)),
];
