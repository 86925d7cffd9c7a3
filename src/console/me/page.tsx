/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The settings of the person. */
import { Form } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import type { Visit } from "../visit.ts";

export const mePage: Page = { path: "/app/me", section: null, show };

function show(visit: Visit): Promise<View> {
  return Promise.resolve({ title: visit.texts.me.title, body: <Body visit={visit} /> });
}

function Body({ visit }: { visit: Visit }) {
  const { texts: { me: texts }, person, forms } = visit;
  return (
    <>
      <dl class="facts sheet">
        <dt>{texts.name}</dt>
        <dd>
          <bdi>{person.name}</bdi>
        </dd>
        <dt>{texts.timezone}</dt>
        <dd>{person.timezone}</dd>
        <dt>{texts.language}</dt>
        <dd>{person.locale}</dd>
      </dl>
      <p>
        <a href="/docs">{texts.docs}</a>
      </p>
      <Form forms={forms} action="/auth/sign-out" name={texts.signOut}>
        <button type="submit" class="quiet">{texts.signOut}</button>
      </Form>
    </>
  );
}
