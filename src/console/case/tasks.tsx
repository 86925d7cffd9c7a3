/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The open tasks of a case. */
import { Button, composeFieldId, Form } from "../forms.tsx";
import { List } from "../parts/list.tsx";
import { StoredHtml } from "../parts/stored_html.tsx";
import { Badge, Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import type { CaseContent } from "./load.ts";

export function Tasks({ visit, content: { record } }: { visit: Visit; content: CaseContent }) {
  const { texts, forms } = visit;
  const address = `/app/cases/${record.id}`;
  const mayChange = record.status === "open" && visit.may("cases.update");
  const open = record.tasks.filter(({ status }) => status !== "completed");
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">{texts.today.tasks}</h2>
      <List
        of="tasks"
        total={open.length}
        empty={texts.cases.noTasks}
        action={mayChange
          ? { href: `#${composeFieldId(`${address}/tasks`, "task_type")}`, text: texts.customers.addFirst }
          : null}
      >
        {open.map(({ id, type, status, start_at, user, note }) => (
          <li key={id} data-entity="task" data-id={id} data-status={status} id={`task-${id}`}>
            <div class="what">
              {texts.tasks.types[type] ?? type}
              {user
                ? (
                  <span class="sub">
                    <bdi>{user.name}</bdi>
                  </span>
                )
                : null}
              <StoredHtml html={note} />
            </div>
            {status === "overdue" ? <Badge tone="bad" text={texts.today.overdue} /> : null}
            <Moment visit={visit} at={start_at} />
            {mayChange
              ? (
                <Form forms={forms} action={`${address}/tasks/${id}/done`}>
                  <Button kind="quiet" label={`${texts.today.done} ${texts.tasks.types[type] ?? type}`}>
                    {texts.today.done}
                  </Button>
                </Form>
              )
              : null}
          </li>
        ))}
      </List>
    </section>
  );
}
