/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** `/app/setup`, while no company exists. */
import type { Context as HonoContext, Hono } from "hono";
import { notFound } from "../../core/errors.ts";
import { formatTimestamp } from "../../core/time.ts";
import { retrying } from "../../db/commit.ts";
import type { Deps } from "../../deps.ts";
import { findCallerAddress } from "../../http/address.ts";
import { extractQuery } from "../../http/request.ts";
import { handler, type Step } from "../../http/steps/step.ts";
import { setupPolicies } from "../../identity/attempts/limits.ts";
import {
  fitsForm,
  makeFormToken,
  newCookie,
  readSessionCookie,
  setCookie,
} from "../../identity/auth/sessions.ts";
import { checkForm } from "../body.ts";
import { makeForms } from "../shown_forms.ts";
import { Frame } from "../frame.tsx";
import { makeMessageCookie } from "../message.ts";
import type { Page } from "../page.ts";
import { explainRefusal, type Refused } from "../refused_change.ts";
import { redirect, respondFrame, respondRefused } from "../respond.tsx";
import { Expired, form, origin, originFor, prepare } from "../steps.ts";
import { readAcceptedLanguage } from "../../core/languages.ts";
import { languages } from "../texts/languages.ts";
import { isSetUp, setupPath } from "../setup_code.ts";
import { setUp } from "./create.ts";
import { showSetup } from "./page.tsx";

/** Stands for the page where an error is shown. */
const page: Page = { path: setupPath, section: null, show: () => Promise.reject(notFound()) };

export function serveSetup(app: Hono, deps: Deps): void {
  app.get(
    setupPath,
    handler(deps, {
      path: setupPath,
      steps: [prepare, untilSetUp(deps)],
      respond: (c) => show(c, deps, null, 200),
      refuse: (c, error) => respondRefused(c, deps, page, error),
    }),
  );
  app.post(
    setupPath,
    handler(deps, {
      path: setupPath,
      limits: setupPolicies,
      steps: [prepare, untilSetUp(deps), origin(deps), form(deps, {}), token(deps)],
      respond: (c) => create(c, deps),
      refuse: (c, error) => respondRefused(c, deps, page, error),
    }),
  );
}

function untilSetUp(deps: Deps): Step {
  return async () => {
    if (await isSetUp(deps)) throw notFound();
  };
}

function token(deps: Deps): Step {
  return (c) => {
    const sent = c.get("consoleForm").get("token");
    const cookie = readSessionCookie(c.req.raw.headers, originFor(c, deps));
    if (!fitsForm(deps.secretsKey, cookie, typeof sent === "string" ? sent : null)) throw new Expired();
  };
}

async function create(c: HonoContext, deps: Deps): Promise<Response> {
  const [request, form, origin] = [c.req.raw, c.get("consoleForm"), originFor(c, deps)];
  const now = deps.clock.now();
  const address = () => findCallerAddress(request, c.env, deps.config.trustProxy);
  const setup = {
    deps,
    now,
    at: formatTimestamp(now),
    request,
    origin,
    form,
    address,
    limitStates: c.get("limitStates"),
  };
  let cookie: string;
  try {
    checkForm(form);
    cookie = await retrying(() => setUp(setup));
  } catch (error) {
    const texts = languages[readAcceptedLanguage(request.headers.get("accept-language"))];
    const refused = explainRefusal(error, { action: setupPath, form, texts });
    if (!refused) throw error;
    const faults = refused.faults.code === undefined
      ? refused.faults
      : { ...refused.faults, code: texts.setup.wrongCode };
    return await show(c, deps, { ...refused, faults }, refused.status);
  }
  return redirect(c, "/app", [setCookie(cookie, origin), makeMessageCookie({ name: "welcome" }, origin)]);
}

async function show(c: HonoContext, deps: Deps, refused: Refused | null, status: number): Promise<Response> {
  const { headers, url } = c.req.raw;
  const origin = originFor(c, deps);
  const accepted = headers.get("accept-language") ?? "";
  const language = readAcceptedLanguage(accepted);
  const given = readSessionCookie(headers, origin);
  const cookie = given ?? newCookie();
  const forms = makeForms({
    token: makeFormToken(deps.secretsKey, cookie),
    texts: languages[language],
    refused,
    address: setupPath,
  });
  const country = /[a-z]{2}-([A-Z]{2})/.exec(accepted)?.[1] ?? (language === "de" ? "DE" : "GB");
  const view = showSetup(forms, {
    code: extractQuery(url).get("code") ?? "",
    country,
    language,
    currency: country === "GB" ? "GBP" : country === "US" ? "USD" : country === "CH" ? "CHF" : "EUR",
  });
  const frame = <Frame language={language} view={view} section={null} visitor={null} forms={forms} />;
  const cookies = given === null ? [setCookie(cookie, origin)] : [];
  return await respondFrame(c, deps, frame, status, cookies);
}
