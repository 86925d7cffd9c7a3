/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages that a person sees. They need no script. */
import type { PropsWithChildren } from "hono/jsx";
import { texts } from "./texts.ts";

/** A path, and the token that every form carries. */
export interface FormProps {
  readonly token: string;
  /** Where it goes on: a path of ours. */
  readonly next: string;
}

/** The frame of every page. */
export function Layout({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <html lang={texts.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${texts.product}`}</title>
        <link rel="stylesheet" href="/auth/style.css" />
      </head>
      <body>
        <header>{texts.product}</header>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

export function SignInPage({ token, next, email, wrong }: FormProps & { email: string; wrong: boolean }) {
  return (
    <Layout title={texts.signIn}>
      {wrong ? <p class="bad" role="alert">{texts.wrongPassword}</p> : <p>{texts.signInLead}</p>}
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
          autofocus
        />
        <label for="password">{texts.password}</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required />
        <button type="submit">{texts.signIn}</button>
      </form>
    </Layout>
  );
}

export function SignedInPage({ token, email }: { token: string; email: string }) {
  return (
    <Layout title={texts.signedIn}>
      <p>{texts.signedInAs(email)}</p>
      <SignOut token={token} next="" label={texts.signOut} />
    </Layout>
  );
}

export function ConsentPage(
  { token, next, application, host, email }: FormProps & { application: string; host: string; email: string },
) {
  return (
    <Layout title={texts.consent(application)}>
      <p>{texts.consentLead(application)}</p>
      <p class="quiet">{texts.consentTo(host)}</p>
      <form method="post" action="/auth/consent">
        <Hidden token={token} next={next} />
        <button type="submit" name="decision" value="allow">{texts.allow}</button>
        <button type="submit" name="decision" value="deny" class="second">{texts.deny}</button>
      </form>
      <p class="quiet">{texts.signedInAs(email)}</p>
      <SignOut token={token} next={next} label={texts.somebodyElse} />
    </Layout>
  );
}

/** Says something, and offers at most to sign in (again). */
export function MessagePage({ title, text, again }: { title: string; text: string; again?: boolean }) {
  return (
    <Layout title={title}>
      <p>{text}</p>
      {again ? <a class="button" href="/auth/sign-in">{texts.signInAgain}</a> : null}
    </Layout>
  );
}

export function OtherCompanyPage({ token, next, email }: FormProps & { email: string }) {
  return (
    <Layout title={texts.otherCompany.title}>
      <p>{texts.otherCompany.text}</p>
      <p class="quiet">{texts.signedInAs(email)}</p>
      <SignOut token={token} next={next} label={texts.somebodyElse} />
    </Layout>
  );
}

function SignOut({ token, next, label }: FormProps & { label: string }) {
  return (
    <form method="post" action="/auth/sign-out">
      <Hidden token={token} next={next} />
      <button type="submit" class="second">{label}</button>
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
