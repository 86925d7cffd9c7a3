/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages for forgotten passwords: requesting a mail, and choosing a new password by its link. */
import type { Hono } from "hono";
import type { Deps } from "../../../deps.ts";
import { parseValid } from "../../../http/validate.ts";
import { resetPath } from "../../mails.ts";
import { NewPassword, RequestReset } from "../../resets/schema.ts";
import { findReset, requestReset, resetByToken } from "../../resets/reset.ts";
import { resetTokenPolicy } from "../../attempts/limits.ts";
import { type Faults, Field, readFaults, Summary } from "./fields.tsx";
import { handleMailedLink } from "./mailed_link.ts";
import { MailedForm } from "./mailed_form.tsx";
import { findNextAfterMail } from "./next.ts";
import { addNext, forgotPath, Hidden, Layout, MessagePage } from "./pages.tsx";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { useTexts } from "./words.tsx";

export function resetPages(app: Hono, deps: Deps): void {
  servePage(
    app,
    deps,
    "GET",
    forgotPath,
    (visit) =>
      Promise.resolve({ page: <ForgotPage {...visit} next={findNextAfterMail(visit)} faults={{}} /> }),
  );
  servePage(app, deps, "POST", forgotPath, ask);
  servePage(
    app,
    deps,
    "GET",
    resetPath,
    handleMailedLink("resetGone", async (visit, link) => {
      const { email } = await findReset(visit, link);
      return {
        page: <ResetPage {...visit} next={findNextAfterMail(visit)} link={link} email={email} faults={{}} />,
      };
    }),
    [resetTokenPolicy],
  );
  servePage(app, deps, "POST", resetPath, handleMailedLink("resetGone", choose), [resetTokenPolicy]);
}

/** Answers the same whether or not a user has the address. */
async function ask(visit: Visit): Promise<PageAnswer> {
  const next = findNextAfterMail(visit);
  try {
    const { email } = parseValid(RequestReset, { email: visit.form.get("email") ?? "" }, "");
    await requestReset(visit, email, next);
  } catch (error) {
    return { status: 422, page: <ForgotPage {...visit} next={next} faults={readFaults(error)} /> };
  }
  return { page: <MessagePage said="resetAsked" tone="good" next={next} /> };
}

async function choose(visit: Visit, link: string): Promise<PageAnswer> {
  const { email } = await findReset(visit, link);
  try {
    const { password } = parseValid(NewPassword, { password: visit.form.get("password") ?? "" }, "");
    await resetByToken(visit, link, password);
  } catch (error) {
    const faults = readFaults(error);
    const next = findNextAfterMail(visit);
    return {
      status: 422,
      page: <ResetPage {...visit} next={next} link={link} email={email} faults={faults} />,
    };
  }
  return { page: <MessagePage said="resetDone" tone="good" next={findNextAfterMail(visit)} /> };
}

interface ForgotProps {
  readonly token: string;
  readonly next: string;
  readonly form: URLSearchParams;
  readonly faults: Faults;
}

function ForgotPage({ token, next, form, faults }: ForgotProps) {
  const texts = useTexts();
  return (
    <Layout title={texts.forgot}>
      <Summary faults={faults} />
      <p>{texts.forgotLead}</p>
      <form method="post" action={forgotPath}>
        <Hidden token={token} next={next} />
        <Field
          name="email"
          label={texts.email}
          type="email"
          autocomplete="username"
          value={form.get("email")}
          faults={faults}
          first
        />
        <button type="submit">{texts.sendLink}</button>
      </form>
      <p class="aside">
        <a href={addNext("/auth/sign-in", next)}>{texts.backToSignIn}</a>
      </p>
    </Layout>
  );
}

interface ResetProps {
  readonly token: string;
  readonly next: string;
  readonly link: string;
  readonly email: string;
  readonly faults: Faults;
}

function ResetPage(props: ResetProps) {
  const texts = useTexts();
  return (
    <MailedForm
      {...props}
      title={texts.reset}
      lead={texts.resetLead}
      action={resetPath}
      submit={texts.reset}
    />
  );
}
