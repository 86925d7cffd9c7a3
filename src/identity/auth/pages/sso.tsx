/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages for single sign-on. */
import type { Hono } from "hono";
import { noContent } from "../../../core/answer.ts";
import { isIntegerId } from "../../../core/ids.ts";
import { commit } from "../../../db/commit.ts";
import type { Deps } from "../../../deps.ts";
import { openProviders, ProviderFailed, type Providers, SignOnDenied } from "../../sso/openid.ts";
import { type Driver, driverOf, readDrivers, readWays, userAtProvider, waysInto } from "../../sso/queries.ts";
import { comeBack, guardSignOn, leave, newAway, redirectUriOf, type Way } from "../../sso/sign_on.ts";
import { fitsForm, newCookie, openSession } from "../sessions.ts";
import { nextOf } from "./next.ts";
import { Fault, faulty, type FormProps, Layout, WaysIn } from "./pages.tsx";
import { PageRefusal } from "./refusal.ts";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { texts } from "./texts.ts";

export function ssoPages(app: Hono, deps: Deps): void {
  const providers = openProviders(deps);
  servePage(app, deps, "GET", "/auth/sso", choose);
  servePage(app, deps, "GET", "/auth/sso/:company_id/:provider_name", (visit) => signOn(visit, providers));
  servePage(
    app,
    deps,
    "GET",
    "/auth/sso/:company_id/:provider_name/callback",
    (visit) => callback(visit, providers),
  );
}

/** Answers alike for an unknown company and one without drivers. */
async function choose({ deps, query, token }: Visit): Promise<PageAnswer> {
  const company = (query.get("company_id") ?? "").trim();
  const [found] = await deps.db.read([waysInto(isIntegerId(company) ? Number(company) : null)]);
  const ways = readWays(found!);
  return { page: <CompanyPage company={company} ways={ways} token={token} next={nextOf(query)} /> };
}

/**
 * Redirects the person to the provider and remembers the browser. A link that does not come from our pages
 * gets a page with the link: otherwise any site could sign people in to an account that is not theirs.
 */
async function signOn(visit: Visit, providers: Providers): Promise<PageAnswer> {
  const { way, driver } = await wayOf(visit);
  const { deps, cookie, token, query } = visit;
  if (!fitsForm(deps.secretsKey, cookie, query.get("token"))) {
    return { page: <CompanyPage company="" ways={[way]} token={token} next={nextOf(query)} /> };
  }
  const away = newAway();
  const location = await asked(
    visit,
    way,
    () => providers.addressOf(driver, redirectUriOf(visit.origin, way), away),
  );
  await commit(visit, {
    statements: [leave(visit, way, driver, away, cookie, nextOf(query))],
    answer: noContent,
  });
  return { location, cookie };
}

/** Turns the provider's answer into a sign-in, once. */
async function callback(visit: Visit, providers: Providers): Promise<PageAnswer> {
  const { way, driver } = await wayOf(visit);
  const states = visit.query.getAll("state");
  const kept = states.length === 1 ? await comeBack(visit, way, states[0]!, visit.cookie) : null;
  if (!kept || kept.issuer !== driver.issuer || kept.client_id !== driver.client_id) {
    throw new PageRefusal(400, texts.ssoExpired);
  }
  const subject = await asked(
    visit,
    way,
    () => providers.subjectOf(driver, redirectUriOf(visit.origin, way), kept, visit.query),
  );
  const [found] = await visit.deps.db.read([userAtProvider(way.company_id, way.provider_name, subject)]);
  const row = found!.rows[0];
  if (!row) throw new PageRefusal(403, texts.ssoNobody);
  const userId = row.id as number;
  // Uses a new cookie, since somebody else may have set the old one.
  const cookie = newCookie();
  await commit(visit, {
    statements: [
      guardSignOn(way, driver, userId),
      ...openSession(visit, userId, cookie, visit.cookie),
    ],
    answer: noContent,
  });
  return { location: kept.next, cookie };
}

async function wayOf({ deps, params }: Visit): Promise<{ way: Way; driver: Driver }> {
  const { company_id = "", provider_name = "" } = params;
  if (!isIntegerId(company_id) || provider_name.includes("\0")) throw new PageRefusal(404, texts.ssoUnknown);
  const way = { company_id: Number(company_id), provider_name };
  const [found] = await deps.db.read([driverOf(way.company_id, way.provider_name)]);
  const [driver] = readDrivers(deps.secretsKey, found!);
  if (!driver) throw new PageRefusal(404, texts.ssoUnknown);
  return { way, driver };
}

/** Calls the provider. Throws a page when it denies the sign-in or fails; the log has the reason. */
async function asked<T>({ deps }: Visit, way: Way, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SignOnDenied) throw new PageRefusal(403, texts.ssoDenied);
    if (!(error instanceof ProviderFailed)) throw error;
    deps.log.error({ event: "sso_failed", ...way, error: error.message });
    throw new PageRefusal(502, texts.ssoFailed);
  }
}

function CompanyPage({ company, ways, token, next }: FormProps & { company: string; ways: readonly Way[] }) {
  return (
    <Layout title={texts.sso}>
      {ways.length > 0
        ? <ProviderList ways={ways} token={token} next={next} />
        : <CompanyForm company={company} next={next} />}
      <p class="aside">
        <a href={next}>{texts.withPassword}</a>
      </p>
    </Layout>
  );
}

function ProviderList({ ways, token, next }: FormProps & { ways: readonly Way[] }) {
  return (
    <>
      <p>{texts.ssoChoose}</p>
      <WaysIn ways={ways} token={token} next={next} />
    </>
  );
}

function CompanyForm({ company, next }: { company: string; next: string }) {
  return (
    <>
      {company === "" ? <p>{texts.ssoLead}</p> : <Fault text={texts.ssoNone} />}
      <form method="get" action="/auth/sso">
        <input type="hidden" name="next" value={next} />
        <label for="company">{texts.ssoCompany}</label>
        <input
          id="company"
          name="company_id"
          value={company}
          inputmode="numeric"
          autocomplete="off"
          required
          autofocus
          {...(company === "" ? {} : faulty)}
        />
        <button type="submit">{texts.goOn}</button>
      </form>
    </>
  );
}
