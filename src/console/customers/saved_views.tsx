/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The saved views of Customers: links to them, and the form that saves the filter of the address. */
import { Button, Form, TextField } from "../forms.tsx";
import type { Visit } from "../visit.ts";
import { Links } from "../parts/links.tsx";
import { composeViewPath, customersPath } from "./kinds.ts";
import type { CustomersContent } from "./load.ts";
import { mayChangeView } from "./stored_view.ts";

interface Props {
  readonly visit: Visit;
  readonly content: CustomersContent;
}

/** Saves the filter of the address. */
export function SaveView({ visit, content: { kind, asked: { rows, rest } } }: Props) {
  const { forms, texts: { filter: texts }, query } = visit;
  if (rows.length + rest.length === 0) return null;
  const shown = new URLSearchParams(query);
  shown.set("kind", kind);
  shown.delete("page");
  shown.delete("add");
  return (
    <Form forms={forms} action={`${customersPath}?${shown}`} name={texts.save} class="line">
      <TextField forms={forms} action={customersPath} name="name" label={texts.nameOfView} required />
      <Button kind="quiet">{texts.save}</Button>
    </Form>
  );
}

/** Links to the saved views of the list, and to what the person may do with the one that is shown. */
export function SavedViews({ visit, content: { saved, kind, asked: { view } } }: Props) {
  const { texts: { customers: texts } } = visit;
  const mayChange = view !== null && mayChangeView(visit, view);
  return (
    <>
      {saved.length === 0 ? null : (
        <nav aria-label={texts.savedViews} class="chips">
          {saved.map(({ id, name }) => (
            <a
              key={id}
              href={`${customersPath}?kind=${kind}&filter_id=${id}`}
              {...(id === view?.id ? { "aria-current": "page" } : {})}
            >
              <bdi>{name}</bdi>
            </a>
          ))}
        </nav>
      )}
      {mayChange
        ? (
          <Links
            links={[
              { href: composeViewPath(view.id, "edit"), text: texts.editView },
              { href: composeViewPath(view.id, "delete"), text: texts.deleteView },
            ]}
          />
        )
        : null}
    </>
  );
}
