/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/**
 * `/unsubscribe/:token`: GET shows a page that asks; POST ends the e-mails, from the button of the page or
 * from a mail program (RFC 8058). GET changes nothing, because mail scanners follow every link.
 */
import { z } from "zod";
import type { Context as HonoContext, Hono } from "hono";
import type { Deps } from "../../deps.ts";
import { readBytes } from "../../http/bodies.ts";
import { chooseStrangersError } from "../../http/limits.ts";
import type { Described } from "../../http/openapi_operation.ts";
import { handler } from "../../http/steps/step.ts";
import { Layout, MessagePage } from "../../identity/auth/pages/pages.tsx";
import { PageRefusal } from "../../identity/auth/pages/refusal.ts";
import { explainRefusal, respondWithPage } from "../../identity/auth/pages/serve_page.tsx";
import {
  oneClickName,
  oneClickValue,
  readUnsubscribing,
  unsubscribePath,
  type Unsubscribing,
} from "./links.ts";
import { texts } from "./texts.ts";
import { readCompanyOfLink, unsubscribe } from "./unsubscribe.ts";

/** Bytes; the form has one field. */
const mostBytes = 16 * 1024;
const path = `${unsubscribePath}/:token`;

export function serveUnsubscribing(app: Hono, deps: Deps): void {
  const route = (method: "GET" | "POST", respond: (c: HonoContext) => Promise<Response>) =>
    app.on(
      method,
      path,
      handler(deps, { path, steps: [], respond, refuse: (c, error) => refuse(deps, c, error) }),
    );
  route("GET", (c) => ask(deps, c));
  route("POST", (c) => end(deps, c));
}

async function ask(deps: Deps, c: HonoContext): Promise<Response> {
  const company = await requireCompanyName(deps, requireLink(deps, c));
  return respondWithPage(
    c.get("requestId"),
    <Layout title={texts.ask}>
      <p>{texts.askLead(company)}</p>
      <form method="post">
        <input type="hidden" name={oneClickName} value={oneClickValue} />
        <button type="submit">{texts.unsubscribe}</button>
      </form>
    </Layout>,
  );
}

async function end(deps: Deps, c: HonoContext): Promise<Response> {
  const link = requireLink(deps, c);
  await checkForm(deps, c.req.raw);
  const company = await requireCompanyName(deps, link);
  await unsubscribe(deps, link);
  const text = link.contactId === null ? texts.test : texts.doneLead(company);
  const title = link.contactId === null ? texts.testTitle : texts.done;
  return respondWithPage(c.get("requestId"), <MessagePage said={{ title, text }} tone="good" />);
}

function requireLink({ secretsKey }: Deps, c: HonoContext): Unsubscribing {
  const link = readUnsubscribing(secretsKey, c.req.param("token") ?? "");
  if (link === null) throw new PageRefusal(404, texts.dead);
  return link;
}

async function requireCompanyName(deps: Deps, link: Unsubscribing): Promise<string> {
  const company = await readCompanyOfLink(deps, link);
  if (company === null) throw new PageRefusal(404, texts.dead);
  return company;
}

/** Refuses a POST without the field that RFC 8058 names, so that no other form on the web can unsubscribe. */
async function checkForm(deps: Deps, request: Request): Promise<void> {
  const type = request.headers.get("content-type") ?? "";
  const kind = type.split(";", 1)[0]!.trim().toLowerCase();
  if (kind !== "application/x-www-form-urlencoded" && kind !== "multipart/form-data") {
    throw new PageRefusal(415, texts.malformed);
  }
  const bytes = await readBytes(request, mostBytes, deps.bodyMs);
  const form = await new Response(bytes, { headers: { "Content-Type": type } }).formData().catch(() => null);
  if (form?.get(oneClickName) !== oneClickValue) throw new PageRefusal(400, texts.malformed);
}

async function refuse(deps: Deps, c: HonoContext, error: unknown): Promise<Response> {
  const requestId = c.get("requestId");
  const limited = chooseStrangersError(deps, c, error);
  const refusal = limited instanceof PageRefusal ? limited : explainRefusal(deps, limited, requestId);
  const { status, said, headers } = refusal;
  return await respondWithPage(requestId, <MessagePage said={said} tone="bad" />, status, headers);
}

const params = z.object({ token: z.string().meta({ example: "AAAAAAAB" }) });
const html = { "text/html": { schema: z.string() } };
const dead = { description: "The address is not a link of this service, or its company is erased." };

export const unsubscribeOperations: readonly Described[] = [{
  method: "get",
  path: `${unsubscribePath}/{token}`,
  operationId: "askToUnsubscribe",
  tags: ["Campaigns"],
  summary: "Show the page by which a contact unsubscribes",
  description: "Campaigns and automated communications link to it. It changes nothing.",
  security: [],
  request: { params },
  responses: { 200: { description: "The page.", content: html }, 404: dead },
}, {
  method: "post",
  path: `${unsubscribePath}/{token}`,
  operationId: "unsubscribe",
  tags: ["Campaigns"],
  summary: "End the e-mails to a contact by one click (RFC 8058)",
  description:
    "Sets the contact's `consent.email` to false, with `contact_updated`. The answer is 200 even if the contact no longer exists.",
  security: [],
  request: {
    params,
    body: {
      content: {
        "application/x-www-form-urlencoded": {
          schema: z.object({ [oneClickName]: z.literal(oneClickValue) }),
        },
      },
    },
  },
  responses: {
    200: { description: "The contact gets no more e-mails.", content: html },
    400: { description: "The form does not have `List-Unsubscribe=One-Click`." },
    404: dead,
    413: { description: "The form has more than 16 KiB." },
    415: { description: "The body is not a form." },
  },
}];
