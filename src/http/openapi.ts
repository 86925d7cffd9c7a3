/** Builds the OpenAPI 3.1 document from the declarations of the endpoints. */
import {
  OpenApiGeneratorV31,
  OpenAPIRegistry,
  type ResponseConfig,
  type RouteConfig,
} from "@asteasolutions/zod-to-openapi";
import { z } from "zod";
import { version } from "../core/version.ts";
import type { Endpoint } from "./endpoint.ts";
import { headerComponents } from "./openapi_headers.ts";
import { addRequestId, type Described, describeOperation } from "./openapi_operation.ts";
import { describeRefusalComponent, problems, ProblemSchema } from "./openapi_problems.ts";
import { forGenerators, listNamedSchemas, type SchemaNode } from "./openapi_schemas.ts";
import { tagDescriptions } from "./tags.ts";

/** The parts of the document. */
export interface DocumentParts {
  readonly endpoints: readonly Endpoint[];
  /** Routes that are no endpoints. */
  readonly byHand: readonly Described[];
  /** The requests that webhooks send. The path of each is the event's name. */
  readonly webhooks: readonly Described[];
}

/** Returns the document of all endpoints. `origin` is the server's URL. */
export function openApiDocument({ endpoints, byHand, webhooks }: DocumentParts, origin: string): object {
  const registry = new OpenAPIRegistry();
  registry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "An access token of `POST /auth/token`.",
  });
  registry.registerComponent("securitySchemes", "oauth2", {
    type: "oauth2",
    description: "Gets the access token by OAuth 2.0.",
    flows: {
      clientCredentials: { tokenUrl: `${origin}/auth/token`, scopes: {} },
      password: { tokenUrl: `${origin}/auth/token`, refreshUrl: `${origin}/auth/token`, scopes: {} },
      authorizationCode: {
        authorizationUrl: `${origin}/auth/`,
        tokenUrl: `${origin}/auth/token`,
        refreshUrl: `${origin}/auth/token`,
        scopes: {},
      },
    },
  });
  for (const [name, header] of Object.entries(headerComponents)) {
    registry.registerComponent("headers", name, header);
  }
  for (const [status, { name }] of Object.entries(problems)) {
    registry.registerComponent("responses", name, describeRefusalComponent(Number(status)));
  }
  const routes = [...endpoints.map(describeOperation), ...byHand.map(addRequestId), ...webhooks];
  for (const route of routes) registry.registerPath(route);
  const generator = new OpenApiGeneratorV31([
    ...listNamedSchemas([ProblemSchema, ...routes.flatMap(collectSchemas)])
      .map((schema) => ({ type: "schema" as const, schema })),
    ...registry.definitions,
  ]);
  const { paths = {}, components, ...document } = generator.generateDocument({
    openapi: "3.1.0",
    info: {
      title: "Wayline CRM",
      version,
      description: "A multi-tenant sales CRM as a JSON API: leads, cases, customers and signed webhooks.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: origin }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
  });
  const isPath = ([path]: [string, unknown]) => path.startsWith("/");
  const all = Object.entries(paths);
  const schemas = Object.entries(components?.schemas ?? {})
    .map(([name, schema]) => [name, forGenerators(schema as SchemaNode)]);
  return dropUnused({
    ...document,
    paths: Object.fromEntries(all.filter(isPath)),
    webhooks: Object.fromEntries(all.filter((entry) => !isPath(entry))),
    components: { ...components, schemas: Object.fromEntries(schemas) },
  });
}

type Components = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Removes headers and schemas that nothing refers to. */
function dropUnused<T extends { readonly components: Components }>(document: T): T {
  const text = JSON.stringify(document);
  const selectUsed = (kind: string) =>
    Object.fromEntries(
      Object.entries(document.components[kind] ?? {})
        .filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
    );
  return {
    ...document,
    components: { ...document.components, headers: selectUsed("headers"), schemas: selectUsed("schemas") },
  };
}

/** Returns the schemas of a route's request and response bodies. */
function collectSchemas({ request, responses }: RouteConfig): z.ZodType[] {
  const contents = [request?.body?.content, ...Object.values(responses).map(readContent)];
  return contents.flatMap((content) => Object.values(content ?? {}))
    .flatMap((media) =>
      media && "schema" in media && media.schema instanceof z.ZodType ? [media.schema] : []
    );
}

function readContent(response: RouteConfig["responses"][string]): ResponseConfig["content"] {
  return "$ref" in response ? undefined : response.content;
}
