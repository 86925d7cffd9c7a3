/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages that people see. They work without scripts. */
import type { PropsWithChildren } from "hono/jsx";
import type { DriverKey } from "../../sso/queries.ts";
import { composeDriverPath } from "../../sso/sign_on.ts";
import { Mark, Sign, type Tone } from "./brand.tsx";
import type { RefusalText } from "./refusal.ts";
import { type MessageName, useTexts } from "./words.tsx";

export const forgotPath = "/auth/forgot-password";

/** The properties of every form. */
export interface FormProps {
  readonly token: string;
  /** The path of a page to continue at. */
  readonly next: string;
}

/** The frame of every page. */
export function Layout({ title, tone, children }: PropsWithChildren<{ title: string; tone?: Tone }>) {
  const texts = useTexts();
  return (
    <html lang={texts.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${texts.product}`}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/auth/icon.svg" />
        <link rel="stylesheet" href="/auth/style.css" />
      </head>
      <body>
        <header>
          <Mark />
          {texts.product}
        </header>
        <main>
          {tone ? <Sign tone={tone} /> : null}
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

interface SignIn extends FormProps {
  readonly email: string;
  readonly wrong: boolean;
  /** The application that requests the sign-in. */
  readonly application?: string | undefined;
  /** The providers of the application's company. */
  readonly drivers: readonly DriverKey[];
}

export function SignInPage({ token, next, email, wrong, application, drivers }: SignIn) {
  const texts = useTexts();
  const fault = wrong ? faulty : {};
  return (
    <Layout title={texts.signIn}>
      {wrong ? <Fault text={texts.wrongPassword} /> : null}
      {application === undefined ? null : <p>{texts.signInTo(application)}</p>}
      {wrong || application !== undefined ? null : <p>{texts.signInLead}</p>}
      <form method="post" action="/auth/sign-in">
        <Hidden token={token} next={next} />
        <label for="email">{texts.email}</label>
        <input
          id="email"
          name="email"
          type="email"
          value={email}
          autocomplete="username"
          required
          autofocus={email === ""}
          {...fault}
        />
        <label for="password">{texts.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ""}
          {...fault}
        />
        <button type="submit">{texts.signIn}</button>
      </form>
      <ProviderLinks token={token} next={next} drivers={drivers} />
      <p class="aside">
        <a href={addNext(forgotPath, next === "/app" ? "" : next)}>{texts.forgot}</a>
      </p>
      {drivers.length > 0 ? null : (
        <p class="aside">
          <a href={addNext("/auth/sso", next)}>{texts.singleSignOn}</a>
        </p>
      )}
    </Layout>
  );
}

/** The error of a form, shown above it. The affected fields have the attributes `faulty`. */
export function Fault({ text }: { text: string }) {
  return <p id="fault" class="fault" role="alert">{text}</p>;
}

export const faulty = { "aria-invalid": "true", "aria-describedby": "fault" } as const;

/** Links to providers. Each contains the form token, which proves that the sign-in began on our page. */
export function ProviderLinks({ token, next, drivers }: FormProps & { drivers: readonly DriverKey[] }) {
  const texts = useTexts();
  return (
    <>
      {drivers.map((key) => (
        <a class="button second" href={addNext(composeDriverPath(key), next, { token })}>
          {texts.continueWith(key.provider_name)}
        </a>
      ))}
    </>
  );
}

export function addNext(path: string, next: string, more: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams({ ...(next === "" ? {} : { next }), ...more });
  return query.size === 0 ? path : `${path}?${query}`;
}

export function SignedInPage({ token, email }: { token: string; email: string }) {
  const texts = useTexts();
  return (
    <Layout title={texts.signedIn} tone="good">
      <p>{texts.signedInAs(email)}</p>
      <SignOut token={token} next="" label={texts.signOut} kind="second" />
    </Layout>
  );
}

interface Consent extends FormProps {
  readonly application: string;
  /** The application's company; null for none. */
  readonly company: string | null;
  readonly host: string;
  readonly email: string;
}

export function ConsentPage({ token, next, application, company, host, email }: Consent) {
  const texts = useTexts();
  return (
    <Layout title={texts.consent(application)}>
      <p>{texts.consentLead}</p>
      {company === null ? null : <p>{texts.consentOf(company)}</p>}
      <p>{texts.consentTo(host)}</p>
      <form method="post" action="/auth/consent">
        <Hidden token={token} next={next} />
        <button type="submit" name="decision" value="allow">{texts.allow}</button>
        <button type="submit" name="decision" value="deny" class="second">{texts.deny}</button>
      </form>
      <WhoIsSignedIn token={token} next={next} email={email} />
    </Layout>
  );
}

interface Message {
  /** The name of a message of the pages, or its text. */
  readonly said: MessageName | RefusalText;
  readonly tone?: Tone;
  /** Where signing in leads. */
  readonly next?: string;
}

/** Shows a message. `again` adds a link to sign in, `forgot` a link to request another reset mail. */
export function MessagePage({ said, tone, next = "" }: Message) {
  const texts = useTexts();
  const { title, text, again, forgot, back }: RefusalText = typeof said === "string" ? texts[said] : said;
  return (
    <Layout title={title} {...(tone ? { tone } : {})}>
      <p>{text}</p>
      {again ? <a class="button" href={addNext("/auth/sign-in", next)}>{texts.signInAgain}</a> : null}
      {forgot ? <a class="button" href={addNext(forgotPath, next)}>{texts.sendAnother}</a> : null}
      {back
        ? (
          <p class="aside">
            <a href={addNext("/auth/sign-in", next)}>{texts.backToSignIn}</a>
          </p>
        )
        : null}
    </Layout>
  );
}

export function OtherCompanyPage({ token, next, email }: FormProps & { email: string }) {
  const texts = useTexts();
  return (
    <Layout title={texts.otherCompany.title} tone="bad">
      <p>{texts.otherCompany.text}</p>
      <WhoIsSignedIn token={token} next={next} email={email} />
    </Layout>
  );
}

/** Shows at the end of a page who is signed in. */
export function WhoIsSignedIn({ token, next, email }: FormProps & { email: string }) {
  const texts = useTexts();
  return (
    <div class="account">
      <p>{texts.signedInAs(email)}</p>
      <SignOut token={token} next={next} label={texts.otherAccount} kind="plain" />
    </div>
  );
}

function SignOut({ token, next, label, kind }: FormProps & { label: string; kind: "second" | "plain" }) {
  return (
    <form method="post" action="/auth/sign-out">
      <Hidden token={token} next={next} />
      <button type="submit" class={kind}>{label}</button>
    </form>
  );
}

export function Hidden({ token, next }: FormProps) {
  return (
    <>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
    </>
  );
}
