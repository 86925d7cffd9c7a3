/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Notes of a customer. */
import { AreaField, Button, composeFieldId, Form } from "../forms.tsx";
import type { Visit } from "../visit.ts";
import { List, Pages, type Pagination } from "./list.tsx";
import { StoredHtml } from "./stored_html.tsx";
import { Moment } from "./values.tsx";

export interface NoteList {
  readonly data: readonly {
    readonly id: number;
    readonly note: string;
    readonly user: { readonly name: string } | null;
    readonly created_at: string;
  }[];
  readonly pagination: Pagination;
}

/** `action`: the address of the form for a new one; null without it. */
export function Notes(
  { visit, notes, action }: { visit: Visit; notes: NoteList; action: string | null },
) {
  const { texts, forms } = visit;
  return (
    <section aria-labelledby="notes">
      <h2 id="notes">{texts.customers.notes}</h2>
      {action === null ? null : (
        <Form forms={forms} action={action} name={texts.cases.newNote} class="sheet">
          <AreaField forms={forms} action={action} name="note" label={texts.cases.newNote} />
          <Button kind="quiet">{texts.cases.addNote}</Button>
        </Form>
      )}
      <List
        of="notes"
        total={notes.pagination.total}
        empty={texts.customers.noNotes}
        action={action === null
          ? null
          : { href: `#${composeFieldId(action, "note")}`, text: texts.customers.addFirst }}
      >
        {notes.data.map(({ id, note, user, created_at }) => (
          <li key={id} data-entity="note" data-id={String(id)} id={`note-${id}`}>
            <div class="what">
              <StoredHtml html={note} />
              {user
                ? (
                  <span class="sub">
                    <bdi>{user.name}</bdi>
                  </span>
                )
                : null}
            </div>
            <Moment visit={visit} at={created_at} />
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={notes.pagination} of="notes" />
    </section>
  );
}
