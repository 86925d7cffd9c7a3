/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages for signing in and for authorizing applications. */
import type { Hono } from "hono";
import { noContent } from "../../../core/answer.ts";
import { commit } from "../../../db/commit.ts";
import { sql } from "../../../db/statements.ts";
import type { Deps } from "../../../deps.ts";
import { serveRaw } from "../../../http/raw_routes.ts";
import { extractQuery } from "../../../http/request.ts";
import { sha1Hex } from "../../../platform/crypto.ts";
import { extractRecognizablePart } from "../../applications/redirect_address.ts";
import { readDriverKeys, selectDriverKeysOfApplication } from "../../sso/queries.ts";
import type { DriverKey } from "../../sso/queries.ts";
import { guardSignIn, selectSignIn } from "../../users/sign_in.ts";
import {
  type AuthorizationRequest,
  authorizePath,
  composeRedirectAddress,
  makeCode,
  readAuthorizationRequest,
  redirectSource,
  selectClient,
} from "../authorize.ts";
import { passwordPolicies, signInLimits } from "../../attempts/limits.ts";
import { Attempts } from "../../attempts/attempts.ts";
import {
  endSession,
  guardSession,
  newCookie,
  openSession,
  type Person,
  readPerson,
  selectSession,
} from "../sessions.ts";
import { icon } from "./brand.tsx";
import { chooseNextPage } from "./next.ts";
import { ConsentPage, MessagePage, OtherCompanyPage, SignedInPage, SignInPage } from "./pages.tsx";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { style } from "./style.ts";

export function mountAuthPages(app: Hono, deps: Deps): void {
  servePage(app, deps, "GET", authorizePath, authorize);
  servePage(app, deps, "POST", "/auth/consent", consent);
  servePage(app, deps, "GET", "/auth/sign-in", signInPage);
  servePage(app, deps, "POST", "/auth/sign-in", signIn, passwordPolicies);
  servePage(app, deps, "POST", "/auth/sign-out", signOut);
  servePage(app, deps, "GET", "/auth/signed-out", () =>
    Promise.resolve({
      page: <MessagePage said="signedOut" />,
    }));
  for (
    const [path, type, text] of [
      ["/auth/style.css", "text/css; charset=utf-8", style],
      ["/auth/icon.svg", "image/svg+xml", icon],
    ] as const
  ) {
    const etag = `"${sha1Hex(text)}"`;
    serveRaw(app, deps, path, () => ({ type, text, etag, keepFor: 3600 }));
  }
}

/** Answers an authorization request with a page to sign in or consent, or redirects with the fault. */
async function authorize(visit: Visit): Promise<PageAnswer> {
  const { request, person, drivers, leadsTo } = await readAuthorization(visit, visit.query);
  const next = `${authorizePath}?${visit.query}`;
  const { token } = visit;
  if (!person) {
    const application = request.client.name;
    const page = (
      <SignInPage
        token={token}
        next={next}
        email=""
        wrong={false}
        application={application}
        drivers={drivers}
      />
    );
    return { page, leadsTo };
  }
  if (!mayAuthorize(person, request)) return otherCompany(visit, next, person);
  // Redirects only people who may authorize the application: its owner chooses the target of the redirect.
  if (request.fault) return redirectWithFault(visit, request, request.fault);
  const page = (
    <ConsentPage
      token={token}
      next={next}
      application={request.client.name}
      company={request.client.company_name}
      host={extractRecognizablePart(request.redirectUri)}
      email={person.email}
    />
  );
  return { page, leadsTo, language: person.language };
}

/**
 * Handles the decision on the consent page. Checks the request again: the form proves only the decision.
 */
async function consent(visit: Visit): Promise<PageAnswer> {
  const next = chooseNextPage(visit.form);
  const query = extractQuery(next);
  const { request, person } = await readAuthorization(visit, query);
  if (!person) return { location: next };
  if (!mayAuthorize(person, request)) return otherCompany(visit, next, person);
  if (request.fault) return redirectWithFault(visit, request, request.fault);
  if (visit.form.get("decision") !== "allow") {
    return redirectWithFault(visit, request, {
      error: "access_denied",
      description: "The user denied access.",
    });
  }
  const { code, statement } = makeCode(visit, request, person.id);
  await commit(visit, { statements: [guardSession(visit, person), statement], answer: noContent });
  return { location: composeRedirectAddress(request, visit.origin, { code }) };
}

async function signInPage(visit: Visit): Promise<PageAnswer> {
  const [found, companies] = await visit.deps.db.read([
    selectSession(visit.cookie, visit.now),
    sql`select 1 from companies limit 1`,
  ]);
  if (companies!.rows.length === 0) return { location: "/app/setup" };
  const person = readPerson(found!);
  const { token, query } = visit;
  if (person && query.has("next")) return { location: chooseNextPage(query) };
  return {
    language: person?.language,
    page: person
      ? <SignedInPage token={token} email={person.email} />
      : <SignInPage token={token} next={chooseNextPage(query)} email="" wrong={false} drivers={[]} />,
  };
}

async function signIn(visit: Visit): Promise<PageAnswer> {
  const { form, deps } = visit;
  const [email, next] = [form.get("email") ?? "", chooseNextPage(form)];
  const attempts = new Attempts(visit, signInLimits(email, visit.address()));
  const query = extractQuery(next);
  const [found, failed, drivers, client] = await deps.db.read([
    selectSignIn(email),
    attempts.read,
    selectDriverKeysOfApplication(query.get("client_id") ?? ""),
    selectClient(query),
  ]);
  attempts.check(failed!);
  const row = found!.rows[0];
  const stored = (row?.password_hash ?? null) as string | null;
  // An unknown address takes as long as a wrong password and gets the same answer.
  if (!await deps.passwords.verify(form.get("password") ?? "", stored, visit.address()) || !row) {
    await attempts.countFailure();
    const application = client!.rows[0]?.name as string | undefined;
    const again = {
      token: visit.token,
      next,
      email,
      wrong: true,
      application,
      drivers: readDriverKeys(drivers!),
    };
    return { status: 422, page: <SignInPage {...again} />, leadsTo: redirectSource(query, client!) };
  }
  // Uses a new cookie: an attacker may have set the old one (session fixation).
  const cookie = newCookie();
  await commit(visit, {
    statements: [
      attempts.guard,
      guardSignIn(row),
      ...openSession(visit, row.id as number, cookie, visit.cookie),
    ],
    answer: noContent,
  });
  return { location: next, cookie };
}

async function signOut(visit: Visit): Promise<PageAnswer> {
  await commit(visit, { statements: [endSession(visit.cookie)], answer: noContent });
  return { location: visit.form.get("next") ? chooseNextPage(visit.form) : "/auth/signed-out", cookie: null };
}

async function readAuthorization(
  visit: Visit,
  query: URLSearchParams,
): Promise<
  { request: AuthorizationRequest; person: Person | null; drivers: DriverKey[]; leadsTo: string | undefined }
> {
  const [client, session, drivers] = await visit.deps.db.read([
    selectClient(query),
    selectSession(visit.cookie, visit.now),
    selectDriverKeysOfApplication(query.get("client_id") ?? ""),
  ]);
  return {
    request: readAuthorizationRequest(query, client!),
    person: readPerson(session!),
    drivers: readDriverKeys(drivers!),
    leadsTo: redirectSource(query, client!),
  };
}

function redirectWithFault(
  visit: Visit,
  request: AuthorizationRequest,
  { error, description }: NonNullable<AuthorizationRequest["fault"]>,
): PageAnswer {
  return {
    location: composeRedirectAddress(request, visit.origin, { error, error_description: description }),
  };
}

/** Whether the person may authorize the application: one of the own company, or a trusted one. */
function mayAuthorize(person: Person, { client }: AuthorizationRequest): boolean {
  return client.trusted || client.company_id === person.company_id;
}

function otherCompany({ token }: Visit, next: string, { email, language }: Person): PageAnswer {
  return { status: 403, language, page: <OtherCompanyPage token={token} next={next} email={email} /> };
}
