/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Tasks of the person. */
import { Button, Form } from "../forms.tsx";
import type { Pagination } from "../parts/list.tsx";
import { Badge, Moment, Phone } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";

export interface TaskRecord {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly start_at: string;
  readonly end_at: string;
  readonly note: string | null;
  readonly case_id: string;
  readonly case?: {
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
  const { contact, account } = task.case ?? { contact: null, account: null };
  const customer = contact?.name ?? account?.name;
  const title = customer ? `${type}: ${customer}` : type;
  const isOverdue = task.status === "overdue";
  return (
    <li data-entity="task" data-id={task.id} data-status={task.status} id={`task-${task.id}`}>
      <What
        href={`/app/cases/${task.case_id}`}
        name={title}
        about={[task.case && texts.tasks.case(task.case.case_number)]}
      />
      {isOverdue ? <Badge tone="bad" text={texts.today.overdue} /> : null}
      <Moment visit={visit} at={task.start_at} />
      <Phone number={contact?.phone_number ?? null} />
      <Form forms={visit.forms} action={`/app/tasks/${task.id}/done`}>
        <Button kind="quiet" label={`${texts.today.done} ${title}`}>{texts.today.done}</Button>
      </Form>
    </li>
  );
}
