/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The page where a person allows a device by its code. */
import type { Hono } from "hono";
import { Problem } from "../../../core/errors.ts";
import type { Deps } from "../../../deps.ts";
import { deviceCodePolicy } from "../../attempts/limits.ts";
import { activateDevice, readWaitingDevice, type WaitingDevice } from "../device_activation.ts";
import { devicePath } from "../device_grant.ts";
import { guardSession, type Person, readPerson, selectSession } from "../sessions.ts";
import { Fault, faulty, Hidden, Layout, MessagePage, SignInPage, WhoIsSignedIn } from "./pages.tsx";
import { PageRefusal } from "./refusal.ts";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { useTexts } from "./words.tsx";

export function mountDevicePages(app: Hono, deps: Deps): void {
  servePage(app, deps, "GET", devicePath, async (visit) => {
    const code = visit.query.get("user_code") ?? "";
    const person = await findPerson(visit);
    return person
      ? {
        language: person.language,
        page: <DevicePage {...visit} person={person} code={code} wrong={false} />,
      }
      : signIn(visit, code);
  });
  servePage(app, deps, "POST", devicePath, decide, [deviceCodePolicy]);
}

async function decide(visit: Visit): Promise<PageAnswer> {
  const { form } = visit;
  const code = form.get("code") ?? "";
  const decision = form.get("decision");
  const denied = decision !== "allow";
  const person = await findPerson(visit);
  if (!person) return signIn(visit, code);
  try {
    // People type codes in groups, as they read them.
    const digits = code.replaceAll(/[\s-]/g, "");
    const number = /^\d{1,15}$/.test(digits) ? Number(digits) : 0;
    const author = { ...visit, guards: [guardSession(visit, person)] };
    if (decision === null) {
      const device = await readWaitingDevice(author, person.id, number);
      return {
        language: person.language,
        page: <DeviceConsentPage token={visit.token} person={person} code={digits} device={device} />,
      };
    }
    await activateDevice(author, person.id, number, denied);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.status === 429) throw new PageRefusal(429, "tooMany", error.more.headers);
    if (error.status !== 422) throw error;
    return {
      status: 422,
      language: person.language,
      page: <DevicePage {...visit} person={person} code={code} wrong />,
    };
  }
  return {
    language: person.language,
    page: denied ? <MessagePage said="deviceDenied" /> : <MessagePage said="deviceAllowed" tone="good" />,
  };
}

async function findPerson({ deps, cookie, now }: Visit): Promise<Person | null> {
  const [found] = await deps.db.read([selectSession(cookie, now)]);
  return readPerson(found!);
}

function signIn({ token }: Visit, code: string): PageAnswer {
  return { page: <SignInPage token={token} next={composePath(code)} email="" wrong={false} drivers={[]} /> };
}

function composePath(code: string): string {
  return code === "" ? devicePath : `${devicePath}?${new URLSearchParams({ user_code: code })}`;
}

function DevicePage(
  { token, person, code, wrong }: { token: string; person: Person; code: string; wrong: boolean },
) {
  const texts = useTexts();
  return (
    <Layout title={texts.device}>
      {wrong ? <Fault text={texts.deviceWrong} /> : <p>{texts.deviceLead}</p>}
      <form method="post" action={devicePath}>
        <Hidden token={token} next="" />
        <label for="code">{texts.deviceCode}</label>
        <input
          id="code"
          name="code"
          class="code"
          value={code}
          inputmode="numeric"
          autocomplete="off"
          required
          autofocus
          {...(wrong ? faulty : {})}
          aria-describedby={wrong ? "fault hint" : "hint"}
        />
        <p id="hint" class="hint">{texts.deviceHint}</p>
        <button type="submit">{texts.goOn}</button>
      </form>
      <WhoIsSignedIn token={token} next={composePath(code)} email={person.email} />
    </Layout>
  );
}

interface DeviceConsent {
  readonly token: string;
  readonly person: Person;
  readonly code: string;
  readonly device: WaitingDevice;
}

function DeviceConsentPage({ token, person, code, device: { application, company } }: DeviceConsent) {
  const texts = useTexts();
  return (
    <Layout title={texts.consent(application)}>
      {company === null ? null : <p>{texts.consentOf(company)}</p>}
      <p>{texts.deviceWarning}</p>
      <form method="post" action={devicePath}>
        <Hidden token={token} next="" />
        <input type="hidden" name="code" value={code} />
        <button type="submit" name="decision" value="allow">{texts.allow}</button>
        <button type="submit" name="decision" value="deny" class="second">{texts.deny}</button>
      </form>
      <WhoIsSignedIn token={token} next={composePath(code)} email={person.email} />
    </Layout>
  );
}
