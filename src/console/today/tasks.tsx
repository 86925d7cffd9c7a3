/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Tasks of the person. */
import { Button, Form } from "../forms.tsx";
import type { Pagination } from "../parts/list.tsx";
import { Badge, Moment, Phone } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";

export interface TaskRecord {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly note: string | null;
  readonly case: {
    readonly id: string;
    readonly case_number: number;
    readonly account: { readonly name: string } | null;
    readonly contact: { readonly name: string; readonly phone_number: string | null } | null;
  };
}

export interface TaskList {
  readonly data: readonly TaskRecord[];
  readonly pagination: Pagination;
}

export function TaskRow({ visit, task }: { visit: Visit; task: TaskRecord }) {
  const { texts } = visit;
  const type = texts.tasks.types[task.type] ?? task.type;
  const { contact, account } = task.case;
  const title = contact?.name ?? account?.name ?? texts.leads.unnamed;
  const isOverdue = task.status === "overdue";
  return (
    <li data-entity="task" data-id={task.id} data-status={task.status} id={`task-${task.id}`}>
      <div class="what">
        <a href={`/app/cases/${task.case.id}`}>
          <bdi>{`${type}: ${title}`}</bdi>
        </a>
        <span class="sub">{texts.tasks.case(task.case.case_number)}</span>
      </div>
      {isOverdue ? <Badge tone="bad" text={texts.today.overdue} /> : null}
      <Moment visit={visit} at={task.start_at} />
      <Phone number={contact?.phone_number ?? null} />
      <Form forms={visit.forms} action={`/app/tasks/${task.id}/done`}>
        <Button kind="quiet" label={`${texts.today.done} ${type}: ${title}`}>{texts.today.done}</Button>
      </Form>
    </li>
  );
}
