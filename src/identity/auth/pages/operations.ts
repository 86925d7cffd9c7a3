/** The pages in the OpenAPI document. */
import { z } from "@hono/zod-openapi";
import { headerRefs } from "../../../http/openapi_headers.ts";
import { type Described, withRateLimits } from "../../../http/openapi_operation.ts";
import { invitationPath, resetPath } from "../../mails.ts";
import { authorizePath } from "../authorize.ts";
import { forgotPath } from "./pages.tsx";

const html = { "text/html": { schema: z.string().openapi({ example: "<!doctype html>" }) } };
const page = (description: string) => ({ description, content: html });
const location = {
  description: "On to the address in `Location`.",
  headers: headerRefs("Location"),
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
      ...("link" in fields ? { 404: page("The token serves no more.") } : {}),
      422: page("The form again, with what is wrong."),
    },
  };
}

/** A form whose answer is a page. */
function told(operation: Described): Described {
  return { ...operation, responses: { 200: page("What came of it."), ...operation.responses } };
}

/** Where only so much may be tried in vain. */
function limited(operation: Described): Described {
  const responses = { ...operation.responses, 429: page("Too much was tried in vain.") };
  return withRateLimits({ ...operation, responses });
}

/** A page; with what its address takes. */
function shown(path: string, operationId: string, summary: string, query?: z.ZodObject): Described {
  return {
    method: "get",
    path,
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    ...(query ? { request: { query } } : {}),
    responses: { 200: page("A page."), ...(query ? { 404: page("The token serves no more.") } : {}) },
  };
}

const mailed = z.object({
  token: z.string().openapi({
    description: "Of the mail.",
    example: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
  }),
});
const link = z.string().openapi({ description: "From the page: the token of the mail." });

const way = z.object({
  company_id: z.string().openapi({ example: "1" }),
  provider_name: z.string().openapi({ example: "Okta" }),
});
const next = z.string().optional().openapi({ description: "Where to go on: a path of ours." });

const ssoOperations: readonly Described[] = [
  {
    method: "get",
    path: "/auth/sso",
    operationId: "getSsoPage",
    tags: ["Service"],
    summary: "The page to choose a company's single sign-on at",
    security: [],
    request: { query: z.object({ company_id: z.string().optional(), next }) },
    responses: { 200: page("The company's providers, or the question for the company.") },
  },
  {
    method: "get",
    path: "/auth/sso/{company_id}/{provider_name}",
    operationId: "signOn",
    tags: ["Service"],
    summary: "Sign in at the pages through a provider of the company",
    security: [],
    request: {
      params: way,
      query: z.object({
        next,
        token: z.string().optional().openapi({ description: "From the page: shows that the link was ours." }),
      }),
    },
    responses: {
      200: page("The link again, when it was not from a page of ours."),
      303: location,
      404: page("The company has no such driver."),
      502: page("The provider did not answer, or not rightly."),
    },
  },
  {
    method: "get",
    path: "/auth/sso/{company_id}/{provider_name}/callback",
    operationId: "completeSignOn",
    tags: ["Service"],
    summary: "Where the provider sends people back to",
    description: "The redirect address to register at the provider.",
    security: [],
    request: {
      params: way,
      query: z.object({
        state: z.string(),
        code: z.string().optional(),
        iss: z.string().optional(),
        error: z.string().optional(),
      }),
    },
    responses: {
      303: location,
      400: page("The sign-in was not begun in this browser, is too old, or has served already."),
      403: page("The provider said no, or nobody here is connected to the account."),
      404: page("The company has no such driver."),
      502: page("The provider did not answer, or its answer does not hold."),
    },
  },
];

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
  limited(form("/auth/sign-in", "signIn", "Sign in at the pages", {
    email: z.string(),
    password: z.string(),
  }, { email: "ada@example.org", password: "correct horse battery" })),
  ...ssoOperations,
  form("/auth/sign-out", "signOut", "Sign out of the pages", {}, {}),
  shown("/auth/device", "getDevicePage", "The page to let a device in at"),
  limited(told(form("/auth/device", "decideOnDevice", "Let a device in, or turn it away", {
    code: z.string(),
    decision: z.enum(["allow", "deny"]).optional().openapi({
      description: "Without it the answer is a page that names the application and asks for the decision.",
    }),
  }, { code: "73914520", decision: "allow" }))),
  shown(forgotPath, "getForgotPasswordPage", "The page to be mailed a link at"),
  told(form(forgotPath, "forgotPassword", "Be mailed a link to choose a new password by", {
    email: z.string(),
  }, { email: "ada@example.org" })),
  limited(shown(resetPath, "getResetPasswordPage", "The page to choose a new password at", mailed)),
  limited(told(form(resetPath, "chooseNewPassword", "Choose a new password", { link, password: z.string() }, {
    link: "from the page",
    password: "correct horse battery",
  }))),
  limited(shown(invitationPath, "getInvitationPage", "The page to accept an invitation at", mailed)),
  limited(form(invitationPath, "joinByInvitation", "Accept an invitation", {
    link,
    first_name: z.string(),
    last_name: z.string(),
    password: z.string(),
  }, { link: "from the page", first_name: "Ada", last_name: "Byron", password: "correct horse battery" })),
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
