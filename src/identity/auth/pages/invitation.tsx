/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The page where an invited person creates their user and is then signed in. */
import type { Hono } from "hono";
import type { Deps } from "../../../deps.ts";
import { parseValid } from "../../../http/validate.ts";
import { acceptInvitation, findInvitation } from "../../invitations/accept.ts";
import { AcceptInvitation } from "../../invitations/schema.ts";
import { invitationPath } from "../../mails.ts";
import { newUserId } from "../../users/write.ts";
import { inviteTokenPolicy } from "../../attempts/limits.ts";
import { newCookie, openSession } from "../sessions.ts";
import { type Faults, Field, readFaults } from "./fields.tsx";
import { handleMailedLink } from "./mailed_link.ts";
import { MailedForm } from "./mailed_form.tsx";
import { type PageAnswer, servePage, type Visit } from "./serve_page.tsx";
import { useTexts } from "./words.tsx";

export function mountInvitationPages(app: Hono, deps: Deps): void {
  servePage(
    app,
    deps,
    "GET",
    invitationPath,
    handleMailedLink("invitationGone", async (visit, link) => {
      const { company_name, email } = await findInvitation(visit, link);
      return {
        page: <InvitationPage {...visit} link={link} company={company_name} email={email} faults={{}} />,
      };
    }),
    [inviteTokenPolicy],
  );
  servePage(app, deps, "POST", invitationPath, handleMailedLink("invitationGone", accept), [
    inviteTokenPolicy,
  ]);
}

async function accept(visit: Visit, link: string): Promise<PageAnswer> {
  const { company_id, company_name, email } = await findInvitation(visit, link);
  const cookie = newCookie();
  try {
    const [first_name, last_name, password] = ["first_name", "last_name", "password"]
      .map((name) => visit.form.get(name) ?? "");
    const body = parseValid(AcceptInvitation, { email, first_name, last_name, password }, "");
    const session = openSession(visit, newUserId, cookie, visit.cookie);
    await acceptInvitation(visit, { company_id, invite_token: link }, body, session);
  } catch (error) {
    const faults = readFaults(error);
    const page = (
      <InvitationPage {...visit} link={link} company={company_name} email={email} faults={faults} />
    );
    return { status: 422, page };
  }
  return { location: "/app", cookie };
}

interface InvitationProps {
  readonly token: string;
  readonly form: URLSearchParams;
  readonly link: string;
  readonly company: string;
  readonly email: string;
  readonly faults: Faults;
}

function InvitationPage({ form, company, ...rest }: InvitationProps) {
  const texts = useTexts();
  const { faults } = rest;
  return (
    <MailedForm
      {...rest}
      title={texts.invitation(company)}
      lead={texts.invitationLead(company)}
      action={invitationPath}
      submit={texts.accept}
    >
      <Field
        name="first_name"
        label={texts.firstName}
        autocomplete="given-name"
        value={form.get("first_name")}
        faults={faults}
        first
      />
      <Field
        name="last_name"
        label={texts.lastName}
        autocomplete="family-name"
        value={form.get("last_name")}
        faults={faults}
      />
    </MailedForm>
  );
}
