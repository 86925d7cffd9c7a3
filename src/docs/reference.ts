/** Splits the API document by tag, because the viewer shows a single tag within a second. */

/** A JSON object of the document. */
export type Node = { readonly [key: string]: unknown };

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
}

export interface Tag {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly operations: readonly Operation[];
  /** An OpenAPI document with the operations of one tag. */
  readonly document: Node;
}

/** Returns the tags in the document's order. Leaves out pages and assets, which API clients do not call. */
export function listTags(document: Node): Tag[] {
  const entries = listOperations(document);
  const tags = Array.isArray(document.tags) ? document.tags.map(toNode) : [];
  return tags.map((tag) => {
    const own = entries.filter(({ operation }) => readTag(operation) === tag.name);
    const name = String(tag.name);
    return {
      name,
      slug: name.toLowerCase().replaceAll(" ", "-"),
      description: toText(tag.description),
      operations: own.map(({ method, path, operation }) => ({
        method,
        path,
        id: toText(operation.operationId),
        summary: toText(operation.summary),
        description: toText(operation.description),
        deprecated: operation.deprecated === true,
      })),
      document: makeDocument(document, tag, own),
    };
  }).filter(({ operations }) => operations.length > 0);
}

interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Node;
}

function listOperations(document: Node): Entry[] {
  return Object.entries(toNode(document.paths)).flatMap(([path, methods]) =>
    Object.entries(toNode(methods)).map(([method, operation]) => ({
      method,
      path,
      operation: toNode(operation),
    }))
  ).filter(({ path, operation }) => path.startsWith("/v1/") || isApi(operation));
}

/**
 * Whether the operation succeeds with JSON or without a body, unlike pages, pictures and redirects outside of
 * `/v1`.
 */
function isApi(operation: Node): boolean {
  const successes = Object.entries(toNode(operation.responses)).filter((
    [status],
  ) => status.startsWith("2"));
  return successes.length > 0 &&
    successes.every(([, response]) =>
      Object.keys(toNode(toNode(response).content)).every((type) => type === "application/json")
    );
}

function makeDocument(
  document: Node,
  tag: Node,
  entries: readonly Entry[],
): Node {
  const paths: Record<string, Record<string, Node>> = {};
  for (const { method, path, operation } of entries) {
    (paths[path] ??= {})[method] = operation;
  }
  const components = toNode(document.components);
  const all = toNode(components.schemas);
  const schemas: Record<string, unknown> = {};
  const gather = (value: unknown) => {
    for (const name of listReferences(value)) {
      if (Object.hasOwn(schemas, name)) continue;
      schemas[name] = all[name];
      gather(all[name]);
    }
  };
  gather(paths);
  gather({ ...components, schemas: {} });
  return {
    openapi: document.openapi,
    info: { ...toNode(document.info), description: toText(tag.description) },
    servers: document.servers,
    tags: [tag],
    paths,
    components: { ...components, schemas },
  };
}

function listReferences(value: unknown): Set<string> {
  const prefix = "#/components/schemas/";
  const found = new Set<string>();
  JSON.stringify(value, (key, inner) => {
    if (
      key === "$ref" && typeof inner === "string" && inner.startsWith(prefix)
    ) {
      found.add(inner.slice(prefix.length));
    }
    return inner;
  });
  return found;
}

function readTag(operation: Node): unknown {
  return Array.isArray(operation.tags) ? operation.tags[0] : undefined;
}

function toNode(value: unknown): Node {
  return typeof value === "object" && value !== null ? value as Node : {};
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
