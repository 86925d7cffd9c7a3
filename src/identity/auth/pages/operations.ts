/** Describes the pages in the OpenAPI document. */
import { z } from "zod";
import { referToHeaders } from "../../../http/openapi_headers.ts";
import { addRateLimits, type Described } from "../../../http/openapi_operation.ts";
import { invitationPath, resetPath } from "../../mails.ts";
import { authorizePath } from "../authorize.ts";
import { forgotPath } from "./pages.tsx";

const html = { "text/html": { schema: z.string().meta({ example: "<!doctype html>" }) } };
const page = (description: string) => ({ description, content: html });
const location = {
  description: "Redirects to `Location`.",
  headers: referToHeaders("Location"),
};

/** Describes the target of a form. `fields` are its fields other than `token` and `next`. */
function form(
  path: string,
  operationId: string,
  summary: string,
  fields: z.ZodRawShape,
  example: Readonly<Record<string, string>>,
): Described {
  const schema = z.object({
    token: z.string().meta({ description: "From the page: proves that the form came from it." }),
    next: z.string().optional().meta({ description: "From the page: the path to continue at." }),
    ...fields,
  }).meta({ example: { token: "from the page", ...example } });
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
      400: page("The request is malformed."),
      403: page("The form token is wrong, or the action is not allowed."),
      ...("link" in fields ? { 404: page("The token no longer works.") } : {}),
      422: page("The form with its errors."),
    },
  };
}

/** Describes a form that answers with a page. */
function withResult(operation: Described): Described {
  return { ...operation, responses: { 200: page("The result."), ...operation.responses } };
}

/** Describes an operation with a limit of failed attempts. */
function describeLimited(operation: Described): Described {
  const responses = { ...operation.responses, 429: page("Too many failed attempts.") };
  return addRateLimits({ ...operation, responses });
}

/** Describes a page and its query. */
function describePage(path: string, operationId: string, summary: string, query?: z.ZodObject): Described {
  return {
    method: "get",
    path,
    operationId,
    tags: ["Service"],
    summary,
    security: [],
    ...(query ? { request: { query } } : {}),
    responses: { 200: page("A page."), ...(query ? { 404: page("The token no longer works.") } : {}) },
  };
}

const mailed = z.object({
  token: z.string().meta({
    description: "The token from the mail.",
    example: "Yk3v0m2ZC3vE1xk6mJXl0Yw4o8i1cYkq0m0b5n2h7sQ",
  }),
});
const link = z.string().meta({ description: "From the page: the token from the mail." });

const driverPath = z.object({
  company_id: z.string().meta({ example: "1" }),
  provider_name: z.string().meta({ example: "Okta" }),
});
const next = z.string().optional().meta({ description: "The path of a page to continue at." });

const ssoOperations: readonly Described[] = [
  {
    method: "get",
    path: "/auth/sso",
    operationId: "getSsoPage",
    tags: ["Service"],
    summary: "Choose a provider for single sign-on",
    security: [],
    request: { query: z.object({ company_id: z.string().optional(), next }) },
    responses: { 200: page("The company's providers, or a form for the company number.") },
  },
  {
    method: "get",
    path: "/auth/sso/{company_id}/{provider_name}",
    operationId: "signOn",
    tags: ["Service"],
    summary: "Sign in through a provider of the company",
    security: [],
    request: {
      params: driverPath,
      query: z.object({
        next,
        token: z.string().optional().meta({
          description: "From the page: proves that the link came from it.",
        }),
      }),
    },
    responses: {
      200: page("The link again, when it did not come from a page of the service."),
      303: location,
      404: page("The company has no driver of this name."),
      502: page("The provider did not answer, or its answer was invalid."),
    },
  },
  {
    method: "get",
    path: "/auth/sso/{company_id}/{provider_name}/callback",
    operationId: "completeSignOn",
    tags: ["Service"],
    summary: "Complete single sign-on",
    description: "Register this address as the redirect address at the provider.",
    security: [],
    request: {
      params: driverPath,
      query: z.object({
        state: z.string(),
        code: z.string().optional(),
        iss: z.string().optional(),
        error: z.string().optional(),
      }),
    },
    responses: {
      303: location,
      400: page("The sign-in did not begin in this browser, has expired, or is already complete."),
      403: page("The provider denied the sign-in, or no user has this account."),
      404: page("The company has no driver of this name."),
      502: page("The provider did not answer, or its answer was invalid."),
    },
  },
];

export const pageOperations: readonly Described[] = [
  {
    method: "get",
    path: authorizePath,
    operationId: "authorize",
    tags: ["Service"],
    summary: "Authorize an application",
    description: "Starts the authorization code flow: RFC 6749, section 4.1.1, and RFC 7636.",
    security: [],
    request: {
      query: z.object({
        response_type: z.literal("code"),
        client_id: z.string(),
        redirect_uri: z.string().meta({
          description: "The registered redirect address of the application.",
        }),
        state: z.string().optional().meta({ description: "Returned with the answer." }),
        code_challenge: z.string().optional().meta({ description: "PKCE." }),
        code_challenge_method: z.literal("S256").optional(),
      }),
    },
    responses: {
      200: page("The sign-in or consent page."),
      303: location,
      400: page("The application is unknown, or the redirect address is not registered."),
      403: page("The application belongs to another company."),
    },
  },
  form("/auth/consent", "giveConsent", "Allow or deny an application", {
    decision: z.enum(["allow", "deny"]),
  }, { decision: "allow" }),
  describePage("/auth/sign-in", "getSignInPage", "Show the sign-in page"),
  describeLimited(form("/auth/sign-in", "signIn", "Sign in", {
    email: z.string(),
    password: z.string(),
  }, { email: "ada@example.org", password: "correct horse battery" })),
  ...ssoOperations,
  form("/auth/sign-out", "signOut", "Sign out", {}, {}),
  describePage("/auth/device", "getDevicePage", "Show the page for devices"),
  describeLimited(withResult(form("/auth/device", "decideOnDevice", "Allow or deny a device", {
    code: z.string(),
    decision: z.enum(["allow", "deny"]).optional().meta({
      description: "Without it the answer is a page that names the application and asks for a decision.",
    }),
  }, { code: "73914520", decision: "allow" }))),
  describePage(forgotPath, "getForgotPasswordPage", "Show the page for forgotten passwords"),
  withResult(form(forgotPath, "forgotPassword", "Request a link to choose a new password", {
    email: z.string(),
  }, { email: "ada@example.org" })),
  describeLimited(
    describePage(resetPath, "getResetPasswordPage", "Show the page to choose a new password", mailed),
  ),
  describeLimited(
    withResult(form(resetPath, "chooseNewPassword", "Choose a new password", { link, password: z.string() }, {
      link: "from the page",
      password: "correct horse battery",
    })),
  ),
  describeLimited(
    describePage(invitationPath, "getInvitationPage", "Show the page to accept an invitation", mailed),
  ),
  describeLimited(form(invitationPath, "joinByInvitation", "Accept an invitation", {
    link,
    first_name: z.string(),
    last_name: z.string(),
    password: z.string(),
  }, { link: "from the page", first_name: "Ada", last_name: "Byron", password: "correct horse battery" })),
  describePage("/auth/signed-out", "getSignedOutPage", "Show the page after signing out"),
  {
    method: "get",
    path: "/auth/style.css",
    operationId: "getStyle",
    tags: ["Service"],
    summary: "Get the stylesheet of the pages",
    security: [],
    responses: { 200: { description: "The styles.", content: { "text/css": { schema: z.string() } } } },
  },
  {
    method: "get",
    path: "/auth/icon.svg",
    operationId: "getIcon",
    tags: ["Service"],
    summary: "Get the icon of the pages",
    security: [],
    responses: { 200: { description: "The mark.", content: { "image/svg+xml": { schema: z.string() } } } },
  },
];
