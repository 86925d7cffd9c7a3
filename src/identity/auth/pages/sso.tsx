/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages for single sign-on. */
import type { Hono } from "hono";
import { noContent } from "../../../core/answer.ts";
import { isIntegerId } from "../../../core/ids.ts";
import { commit } from "../../../db/commit.ts";
import type { Deps } from "../../../deps.ts";
import { openProviders, ProviderFailed, type Providers, SignOnDenied } from "../../sso/openid.ts";
import {
  type Driver,
  type DriverKey,
  readDriverKeys,
  readDrivers,
  selectDriver,
  selectDriverKeys,
  selectUserAtProvider,
} from "../../sso/queries.ts";
import {
  beginSignOn,
  composeRedirectUri,
  guardSignOn,
  makeSignOnSecrets,
  takeSignOn,
} from "../../sso/sign_on.ts";
import { fitsForm, newCookie, openSession } from "../sessions.ts";
import { chooseNextPage } from "./next.ts";
import { Fault, faulty, type FormProps, Layout, ProviderLinks } from "./pages.tsx";
import { PageRefusal } from "./refusal.ts";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { useTexts } from "./words.tsx";

export function mountSsoPages(app: Hono, deps: Deps): void {
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

/** Shows a company's providers. The answer is the same for an unknown company and one without drivers. */
async function choose({ deps, query, token }: Visit): Promise<PageAnswer> {
  const company = (query.get("company_id") ?? "").trim();
  const [found] = await deps.db.read([selectDriverKeys(isIntegerId(company) ? Number(company) : null)]);
  const drivers = readDriverKeys(found!);
  return {
    page: <CompanyPage company={company} drivers={drivers} token={token} next={chooseNextPage(query)} />,
  };
}

/**
 * Redirects the person to the provider and stores the browser's cookie hash. A link without the form token of
 * our pages gets a page with the link: otherwise any site could sign people in to somebody else's account.
 */
async function signOn(visit: Visit, providers: Providers): Promise<PageAnswer> {
  const { key, driver } = await findDriver(visit);
  const { deps, cookie, token, query } = visit;
  if (!fitsForm(deps.secretsKey, cookie, query.get("token"))) {
    return { page: <CompanyPage company="" drivers={[key]} token={token} next={chooseNextPage(query)} /> };
  }
  const secrets = makeSignOnSecrets();
  const location = await callProvider(
    visit,
    key,
    () => providers.makeSignInAddress(driver, composeRedirectUri(visit.origin, key), secrets),
  );
  await commit(visit, {
    statements: [beginSignOn(visit, key, driver, secrets, cookie, chooseNextPage(query))],
    answer: noContent,
  });
  return { location, cookie };
}

/** Handles the return from the provider: checks its answer and opens a session. Each answer works once. */
async function callback(visit: Visit, providers: Providers): Promise<PageAnswer> {
  const { key, driver } = await findDriver(visit);
  const states = visit.query.getAll("state");
  const signOn = states.length === 1 ? await takeSignOn(visit, key, states[0]!, visit.cookie) : null;
  if (!signOn || signOn.issuer !== driver.issuer || signOn.client_id !== driver.client_id) {
    throw new PageRefusal(400, "ssoExpired");
  }
  const subject = await callProvider(
    visit,
    key,
    () => providers.readSubject(driver, composeRedirectUri(visit.origin, key), signOn, visit.query),
  );
  const [found] = await visit.deps.db.read([
    selectUserAtProvider(key.company_id, key.provider_name, subject),
  ]);
  const row = found!.rows[0];
  if (!row) throw new PageRefusal(403, "ssoNobody");
  const userId = row.id as number;
  // Uses a new cookie: an attacker may have set the old one (session fixation).
  const cookie = newCookie();
  await commit(visit, {
    statements: [
      guardSignOn(key, driver, userId),
      ...openSession(visit, userId, cookie, visit.cookie),
    ],
    answer: noContent,
  });
  return { location: signOn.next, cookie };
}

async function findDriver({ deps, params }: Visit): Promise<{ key: DriverKey; driver: Driver }> {
  const { company_id = "", provider_name = "" } = params;
  if (!isIntegerId(company_id) || provider_name.includes("\0")) throw new PageRefusal(404, "ssoUnknown");
  const key = { company_id: Number(company_id), provider_name };
  const [found] = await deps.db.read([selectDriver(key.company_id, key.provider_name)]);
  const [driver] = readDrivers(deps.secretsKey, found!);
  if (!driver) throw new PageRefusal(404, "ssoUnknown");
  return { key, driver };
}

/** Calls the provider. Throws a page when it denies the sign-in or fails; the log has the reason. */
async function callProvider<T>({ deps }: Visit, key: DriverKey, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof SignOnDenied) throw new PageRefusal(403, "ssoDenied");
    if (!(error instanceof ProviderFailed)) throw error;
    deps.log.error({ event: "sso_failed", ...key, error: error.message });
    throw new PageRefusal(502, "ssoFailed");
  }
}

function CompanyPage(
  { company, drivers, token, next }: FormProps & { company: string; drivers: readonly DriverKey[] },
) {
  const texts = useTexts();
  return (
    <Layout title={texts.sso}>
      {drivers.length > 0
        ? <ProviderList drivers={drivers} token={token} next={next} />
        : <CompanyForm company={company} next={next} />}
      <p class="aside">
        <a href={next}>{texts.withPassword}</a>
      </p>
    </Layout>
  );
}

function ProviderList({ drivers, token, next }: FormProps & { drivers: readonly DriverKey[] }) {
  const texts = useTexts();
  return (
    <>
      <p>{texts.ssoChoose}</p>
      <ProviderLinks drivers={drivers} token={token} next={next} />
    </>
  );
}

function CompanyForm({ company, next }: { company: string; next: string }) {
  const texts = useTexts();
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
