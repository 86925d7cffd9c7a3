/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A form that a mail links to: shows the person's address and asks for a password. */
import type { Child } from "hono/jsx";
import { type Faults, Field, Summary } from "./fields.tsx";
import { Hidden, Layout } from "./pages.tsx";
import { useTexts } from "./words.tsx";

interface MailedFormProps {
  readonly title: string;
  readonly lead: string;
  /** The path that the form posts to. */
  readonly action: string;
  readonly token: string;
  /** Where signing in leads afterwards. */
  readonly next?: string;
  /** The token of the mail. */
  readonly link: string;
  readonly email: string;
  readonly faults: Faults;
  /** The text of the button. */
  readonly submit: string;
  /** Fields between the address and the password. */
  readonly children?: Child;
}

export function MailedForm(
  { title, lead, action, token, next = "", link, email, faults, submit, children }: MailedFormProps,
) {
  const texts = useTexts();
  return (
    <Layout title={title}>
      <Summary faults={faults} />
      <p>{lead}</p>
      <form method="post" action={action}>
        <Hidden token={token} next={next} />
        <input type="hidden" name="link" value={link} />
        <Field
          name="email"
          label={texts.email}
          type="email"
          autocomplete="username"
          value={email}
          faults={faults}
          fixed
        />
        {children}
        <Field
          name="password"
          label={texts.newPassword}
          type="password"
          autocomplete="new-password"
          hint={texts.passwordHint}
          faults={faults}
          first={!children}
        />
        <button type="submit">{submit}</button>
      </form>
    </Layout>
  );
}
