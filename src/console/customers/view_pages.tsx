/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The pages that rename and delete a saved view of Customers. */
import { forbidden, notFound } from "../../core/errors.ts";
import { makeBody } from "../form_body.ts";
import { Button, Form, TextField } from "../forms.tsx";
import type { Action, Page, View } from "../page.ts";
import { DeleteForm } from "../parts/impact.tsx";
import type { Visit } from "../visit.ts";
import { composeViewPath, type Kind, listPath, parseKind } from "./kinds.ts";
import { chooseKind, mayChangeView, type StoredView } from "./stored_view.ts";

export const editViewPage: Page = {
  path: "/app/customers/views/:view_id/edit",
  section: "customers",
  show: showEdit,
};
export const deleteViewPage: Page = {
  path: "/app/customers/views/:view_id/delete",
  section: "customers",
  show: showDelete,
};

export const viewActions: readonly Action[] = [
  {
    path: editViewPage.path,
    page: editViewPage,
    async run({ change, params, form }) {
      const view = await change<StoredView>("changeView", {
        params,
        body: makeBody(form, { name: "needed" }),
      });
      return { to: listPath(chooseKind(view)!, view.id), message: { name: "saved" } };
    },
  },
  {
    path: deleteViewPage.path,
    page: deleteViewPage,
    async run({ change, params, form }) {
      await change("deleteView", { params });
      const kind = parseKind(new URLSearchParams({ kind: String(form.get("kind")) }));
      return { to: listPath(kind, null), message: { name: "deleted" } };
    },
  },
];

/** Reads the view of the address with its version. Throws 404 for one of another list, 403 for one of others. */
async function readOwn(visit: Visit): Promise<{ view: StoredView; kind: Kind; version: string }> {
  const { record: view, version } = await visit.record<StoredView>("getView", { params: visit.params });
  const kind = chooseKind(view);
  if (kind === null) throw notFound();
  if (!mayChangeView(visit, view)) throw forbidden("It belongs to others.");
  return { view, kind, version };
}

async function showEdit(visit: Visit): Promise<View> {
  const { forms, texts: { customers, filter } } = visit;
  const { view, version } = await readOwn(visit);
  const action = composeViewPath(view.id, "edit");
  return {
    title: customers.editOf(view.name),
    body: (
      <Form forms={forms} action={action} name={customers.save} class="sheet narrow" version={version}>
        <TextField
          forms={forms}
          action={action}
          name="name"
          label={filter.nameOfView}
          value={view.name}
          required
        />
        <Button>{customers.save}</Button>
      </Form>
    ),
  };
}

async function showDelete(visit: Visit): Promise<View> {
  const { view, kind } = await readOwn(visit);
  return {
    title: visit.texts.deleting.of(view.name),
    body: (
      <DeleteForm
        visit={visit}
        action={composeViewPath(view.id, "delete")}
        impact={{ blocked_by: [] }}
        back={listPath(kind, view.id)}
        sent={{ kind }}
      />
    ),
  };
}
