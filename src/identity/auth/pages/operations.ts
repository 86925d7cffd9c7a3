/** The pages in the OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { type Described, withRateLimits } from "../../../http/openapi.ts";
import { authorizePath } from "../authorize.ts";

const html = { "text/html": { schema: z.string().openapi({ example: "<!doctype html>" }) } };
const page = (description: string) => ({ description, content: html });
const location = {
  description: "On to the address in `Location`.",
  headers: z.object({ Location: z.string().openapi({ example: "/auth/sign-in" }) }),
};

/** What forms are sent to; `fields` beside those that every form carries. */
function form(
  path: string,
  operationId: string,
  summary: string,
  fields: z.ZodRawShape,
  example: Readonly<Record<string, string>>,
): Described {
  const schema = z.object({
    token: z.string().openapi({ description: "From the page: shows that the form was ours." }),
    next: z.string().optional().openapi({ description: "From the page: where to go on." }),
    ...fields,
  }).openapi({ example: { token: "from the page", ...example } });
  return {
    method: "post",
    path,
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    request: { body: { required: true, content: { "application/x-www-form-urlencoded": { schema } } } },
    responses: {
      303: location,
      400: page("Something is wrong with the request."),
      403: page("The form is not ours, or it may not be done."),
      422: page("The form again, with what is wrong."),
    },
  };
}

/** The same, where only so much may be tried in vain. */
function limitedForm(...described: Parameters<typeof form>): Described {
  const operation = form(...described);
  const responses = { ...operation.responses, 429: page("Too much was tried in vain.") };
  return withRateLimits({ ...operation, responses });
}

function shown(path: string, operationId: string, summary: string): Described {
  return {
    method: "get",
    path,
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    responses: { 200: page("A page.") },
  };
}

export const pageOperations: readonly Described[] = [
  {
    method: "get",
    path: authorizePath,
    operationId: "authorize",
    tags: ["Service"],
    summary: "Ask a person to let an application in",
    description: "The start of the authorisation code flow: RFC 6749, section 4.1.1, and RFC 7636.",
    security: [],
    request: {
      query: z.object({
        response_type: z.literal("code"),
        client_id: z.string(),
        redirect_uri: z.string().openapi({ description: "The one that the application has registered." }),
        state: z.string().optional().openapi({ description: "Comes back with the answer." }),
        code_challenge: z.string().optional().openapi({ description: "PKCE." }),
        code_challenge_method: z.literal("S256").optional(),
      }),
    },
    responses: {
      200: page("Sign in, or consent."),
      303: location,
      400: page("The application is unknown, or the address is not its own."),
      403: page("The application belongs to another company."),
    },
  },
  form("/auth/consent", "giveConsent", "Answer whether an application is let in", {
    decision: z.enum(["allow", "deny"]),
  }, { decision: "allow" }),
  shown("/auth/sign-in", "getSignInPage", "The page to sign in at"),
  limitedForm("/auth/sign-in", "signIn", "Sign in at the pages", {
    email: z.string(),
    password: z.string(),
  }, { email: "ada@example.org", password: "correct horse battery" }),
  form("/auth/sign-out", "signOut", "Sign out of the pages", {}, {}),
  shown("/auth/device", "getDevicePage", "The page to let a device in at"),
  limitedForm("/auth/device", "decideOnDevice", "Let a device in, or turn it away", {
    code: z.string(),
    decision: z.enum(["allow", "deny"]),
  }, { code: "73914520", decision: "allow" }),
  shown("/auth/signed-out", "getSignedOutPage", "The page after signing out"),
  {
    method: "get",
    path: "/auth/style.css",
    operationId: "getStyle",
    tags: ["Service"],
    summary: "The stylesheet of the pages",
    security: [],
    responses: { 200: { description: "The styles.", content: { "text/css": { schema: z.string() } } } },
  },
  {
    method: "get",
    path: "/auth/icon.svg",
    operationId: "getIcon",
    tags: ["Service"],
    summary: "The mark of the pages",
    security: [],
    responses: { 200: { description: "The mark.", content: { "image/svg+xml": { schema: z.string() } } } },
  },
];
