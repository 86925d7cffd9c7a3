/** The steps that read and validate the path, the query and the body. */
import type { Context } from "hono";
import type { z } from "zod";
import type { Problem } from "../../core/errors.ts";
import { loadSanitizer } from "../../core/html.ts";
import { isIntegerId, isUuid } from "../../core/ids.ts";
import type { Deps } from "../../deps.ts";
import type { Bindings } from "../address.ts";
import { checkCharacters, isJson, jsonLimit, parseJson, readLargeText, readText } from "../bodies.ts";
import type { Endpoint, ParamForm } from "../endpoint.ts";
import { listIgnoredMembers, listIgnoredParameters, listUnreadParameters } from "../ignored_members.ts";
import { IncomingFile } from "../incoming_file.ts";
import { large, waitForTurn } from "../large_bodies.ts";
import { type Form, readForm, requireFiles, type Upload } from "../multipart.ts";
import { readQueryValues } from "../request.ts";
import { parseValid } from "../validate.ts";
import { noteIgnored, type Step } from "./step.ts";

declare module "hono" {
  interface ContextVariableMap {
    params: Readonly<Record<string, string | number>>;
    query: unknown;
    /** The text of the body, or the fingerprint of its parts; undefined without one. */
    text: string | undefined;
    form: Form | undefined;
    body: unknown;
    files: Readonly<Record<string, Upload>> | undefined;
    /** The file of a streamed form. */
    incoming: IncomingFile | undefined;
  }
}

/** Reads the parameters of the path. `missingRoute`: the error for a malformed parameter. */
export function readPathParams(
  forms: Readonly<Record<string, ParamForm>>,
  missingRoute: (c: Context) => Problem,
): Step {
  return (c) => {
    const found = readParams((name) => c.req.param(name), forms);
    if (found === null) throw missingRoute(c);
    c.set("params", found);
  };
}

/** Validates the query, and notes parameters that the endpoint does not know. */
export function validateQuery(
  { query: schema, deprecatedParameters }: Pick<Endpoint["declared"], "query" | "deprecatedParameters">,
): Step {
  return (c) => {
    const { url } = c.req.raw;
    if (!schema && !url.includes("?")) return;
    const values = readQueryValues(url);
    noteIgnored(c, "Ignored-Parameters", listIgnoredParameters(schema, deprecatedParameters, values));
    if (schema) c.set("query", parseValid(schema, values, "query"));
  };
}

/** Reads the body, within its size and time. */
export function readBody(deps: Deps, { multipart, bodyLimit = jsonLimit }: Endpoint["declared"]): Step {
  if (multipart) {
    return async (c) => {
      const form = await readForm(c.req.raw, multipart, deps.bodyMs);
      c.set("form", form);
      c.set("text", form.fingerprint);
    };
  }
  if (bodyLimit > large) return readLargeBody(deps, bodyLimit);
  return async (c) => {
    c.set("text", await readText(c.req.raw, bodyLimit, deps.bodyMs));
  };
}

/** Validates the body: JSON, or the fields and files of a multipart form. */
export function validateBody({ body: schema, multipart }: Endpoint["declared"]): Step {
  if (multipart) {
    return (c) => {
      const form = c.get("form")!;
      noteIgnored(
        c,
        "Ignored-Members",
        listIgnoredParts([...Object.keys(form.fields), ...form.files.keys()], multipart, schema),
      );
      c.set("files", requireFiles(form, multipart));
      if (schema) c.set("body", validateFields(schema, form));
    };
  }
  return async (c) => {
    const text = c.get("text")!;
    // Drops the text, because the parsed values of a large body take as much memory again.
    c.set("text", undefined);
    // Schemas clean HTML and cannot wait, so the sanitizer is loaded first.
    if (/<|\\u003c/i.test(text)) await loadSanitizer();
    const value = text === "" ? {} : parseJson(c.req.raw.headers, text);
    noteIgnored(c, "Ignored-Members", listIgnoredMembers(schema!, value));
    const query = c.get("query") as Readonly<Record<string, unknown>> | undefined;
    if (query) noteIgnored(c, "Ignored-Parameters", listUnreadParameters(schema!, value, query));
    c.set("body", parseValid(schema!, value, ""));
  };
}

/** The step, for JSON bodies alone: of calls that take JSON in place of a form. */
export function ifJson(step: Step): Step {
  return (c) => isJson(c.req.raw.headers) ? step(c) : undefined;
}

/** The step, for all bodies but JSON. */
export function ifForm(step: Step): Step {
  return (c) => isJson(c.req.raw.headers) ? undefined : step(c);
}

/** Leaves the form for the verb to read. Its parts complete the fingerprint of the idempotency key. */
export function openIncomingFile(
  deps: Deps,
  { body: fields, multipart, method }: Endpoint["declared"],
): Step {
  const [field, part] = Object.entries(multipart!)[0]!;
  return (c) => {
    const key = c.get("idempotencyKey");
    const idempotency = c.get("idempotency");
    const onRead = (fingerprint: string, parts: readonly string[]) => {
      noteIgnored(c, "Ignored-Members", listIgnoredParts(parts, multipart!, fields));
      if (key?.valid && idempotency) {
        idempotency.fingerprint = key.of(method, c.req.raw.url, fingerprint).fingerprint;
      }
    };
    const { chunks } = (c.env ?? {}) as Partial<Bindings>;
    const incoming = new IncomingFile(c.req.raw, { chunks, field, part, withinMs: deps.bodyMs, onRead });
    if (idempotency) idempotency.complete = () => incoming.discard();
    c.set("incoming", incoming);
  };
}

/** Reads a body that may be large when its turn comes. */
function readLargeBody(deps: Deps, limit: number): Step {
  return async (c) => {
    const request = c.req.raw;
    const turn = await waitForTurn(request, limit, c.get("actor")?.companyId ?? null);
    c.set("atEnd", turn ?? undefined);
    const length = Number(request.headers.get("content-length"));
    const { chunks } = (c.env ?? {}) as Partial<Bindings>;
    const text = turn && chunks && length > 0
      ? await readLargeText(chunks(), length, { limit, withinMs: deps.bodyMs })
      : await readText(request, limit, deps.bodyMs);
    c.set("text", text);
  };
}

/** Returns the parameters of a path as their forms say; null when one is malformed. */
export function readParams(
  getValue: (name: string) => string | undefined,
  forms: Readonly<Record<string, ParamForm>>,
): Record<string, string | number> | null {
  const found: Record<string, string | number> = {};
  for (const name in forms) {
    const text = getValue(name) ?? "";
    if (forms[name] === "uuid" && !isUuid(text)) return null;
    if (forms[name] === "integer" && !isIntegerId(text)) return null;
    found[name] = forms[name] === "integer"
      ? Number(text)
      : forms[name] === "uuid"
      ? text.toLowerCase()
      : text;
  }
  return found;
}

/** Returns the names of the parts that are neither a declared file nor a field. */
function listIgnoredParts(parts: readonly string[], files: object, fields: z.ZodType | undefined): string[] {
  const others = Object.fromEntries(
    parts.filter((name) => !Object.hasOwn(files, name)).map((name) => [name, ""]),
  );
  return fields ? listIgnoredMembers(fields, others) : Object.keys(others);
}

function validateFields(schema: z.ZodType, { fields }: Form): unknown {
  checkCharacters(fields);
  return parseValid(schema, fields, "");
}
