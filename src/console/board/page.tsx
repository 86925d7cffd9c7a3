/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The board of cases. */
import { parseTimestamp } from "../../core/time.ts";
import { Button, Form } from "../forms.tsx";
import type { View } from "../page.ts";
import { FindForm } from "../parts/find.tsx";
import { CaseViews } from "../parts/case_views.tsx";
import { mostCounted } from "../style/counted.ts";
import { Ignored } from "../parts/notices.tsx";
import { DaysAgo, Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import {
  type BoardContent,
  type Card,
  type Column,
  endsCase,
  type Milestone,
  readBoard,
  shows,
} from "./load.ts";

export async function showBoard(visit: Visit): Promise<View> {
  const content = await readBoard(visit);
  return { title: visit.texts.sections.cases, body: <Body visit={visit} content={content} />, wide: true };
}

function Body({ visit, content }: { visit: Visit; content: BoardContent }) {
  const { texts } = visit;
  const { board, kept, show, processes } = content;
  return (
    <>
      <Ignored visit={visit} names={content.ignored} />
      <CaseViews visit={visit} chosen="board" />
      <FindForm
        visit={visit}
        action="/app/cases"
        kept={{ view: "board", ...pickHidden(kept) }}
        choices={[
          {
            name: "path",
            label: texts.leads.process,
            chosen: kept.path ?? null,
            options: processes,
            any: false,
            isTold: true,
          },
          {
            name: "show",
            label: texts.cases.show,
            chosen: show,
            options: shows.map((value) => ({ value, text: texts.leads[value] })),
            any: false,
          },
        ]}
      />
      {board === null
        ? (
          <div data-list="cases" data-total="0">
            <p class="empty" data-empty="">{texts.board.noProcess}</p>
          </div>
        )
        : <Columns visit={visit} content={content} columns={board.columns} />}
    </>
  );
}

function Columns(
  { visit, content, columns }: { visit: Visit; content: BoardContent; columns: readonly Column[] },
) {
  const total = columns.reduce((sum, { count }) => sum + count, 0);
  const bare = columns.filter(({ count }) => count === 0).length;
  const countUpTo = (count: number) => Math.min(count, mostCounted);
  return (
    <>
      {total === 0 ? <p class="empty" data-empty="">{visit.texts.board.empty}</p> : null}
      <div
        class={`board full-${countUpTo(columns.length - bare)} bare-${countUpTo(bare)}`}
        data-list="cases"
        data-total={String(total)}
        tabindex={0}
        role="group"
        aria-label={visit.texts.board.title}
      >
        {columns.map((column, index) => (
          <BoardColumn
            key={column.milestone?.id ?? "none"}
            visit={visit}
            content={content}
            column={column}
            later={columns.slice(index + 1).flatMap(({ milestone }) => milestone ?? [])}
          />
        ))}
      </div>
    </>
  );
}

interface ColumnProps {
  readonly visit: Visit;
  readonly content: BoardContent;
  readonly column: Column;
  /** The milestones that its cases can be moved to. */
  readonly later: readonly Milestone[];
}

function BoardColumn({ visit, content, column, later }: ColumnProps) {
  const { texts, formats } = visit;
  const { milestone, count, sum, data } = column;
  const id = milestone?.id ?? "none";
  const ends = milestone !== null && endsCase(milestone);
  return (
    <section
      class={`column${ends ? " end" : ""}${count === 0 ? " bare" : ""}`}
      data-milestone={id}
      data-count={String(count)}
      data-sum={String(sum)}
      aria-labelledby={`column-${id}`}
    >
      <h2 id={`column-${id}`}>
        <bdi>{milestone?.name ?? texts.board.none}</bdi>
      </h2>
      <p class="sums">
        {ends ? texts.cases.statuses[milestone.set_status!] : (
          <>
            <span class="number">{texts.board.cases(count)}</span>
            {sum === 0 ? null : <span class="number">{formats.money(sum)}</span>}
          </>
        )}
      </p>
      <ul>
        {data.map((card) => (
          <BoardCard
            key={card.id}
            visit={visit}
            content={content}
            card={card}
            later={later}
          />
        ))}
      </ul>
      {column.next === null ? null : <a href={composeListAddress(content, id)}>{texts.board.all}</a>}
    </section>
  );
}

function BoardCard({ visit, content, card, later }: {
  readonly visit: Visit;
  readonly content: BoardContent;
  readonly card: Card;
  readonly later: readonly Milestone[];
}) {
  const { texts, formats } = visit;
  const { contact, account, next_task: task } = card;
  const name = contact.name ?? account.name ?? texts.leads.unnamed;
  return (
    <li
      data-entity="case"
      data-id={card.id}
      data-status={card.status}
      id={`case-${card.id}`}
      draggable={later.length > 0}
    >
      <a href={`/app/cases/${card.id}`}>
        <bdi>{name}</bdi>
      </a>
      {contact.name && account.name && account.name !== contact.name
        ? <bdi class="sub">{account.name}</bdi>
        : null}
      <p class="sub">
        <span class="number">{texts.board.number(card.case_number)}</span>
        {card.value ? <span class="number">{formats.money(card.value)}</span> : null}
        <DaysAgo visit={visit} at={card.latest_activity_at ?? card.created_at} />
      </p>
      {task
        ? (
          <p class="sub">
            <span>{texts.tasks.types[task.type] ?? task.type}</span>
            <Moment visit={visit} at={task.start_at} />
            {parseTimestamp(task.end_at)! < visit.now
              ? <span class="late">{texts.today.overdue}</span>
              : null}
          </p>
        )
        : null}
      {later.length > 0 ? <Move visit={visit} content={content} card={card} later={later} /> : null}
    </li>
  );
}

function Move({ visit, content, card, later }: {
  readonly visit: Visit;
  readonly content: BoardContent;
  readonly card: Card;
  readonly later: readonly Milestone[];
}) {
  const { texts: { board: texts }, forms } = visit;
  const action = `/app/cases/${card.id}/move`;
  const id = `move-${card.id}`;
  if (!content.offersMilestones) {
    return (
      <details>
        <summary>{texts.move}</summary>
        <a href={`${action}?${new URLSearchParams(content.kept)}`}>{texts.choose}</a>
      </details>
    );
  }
  return (
    <details>
      <summary>{texts.move}</summary>
      <Form forms={forms} action={`${action}?${new URLSearchParams(content.kept)}`}>
        <label for={id}>{texts.moveTo}</label>
        <select id={id} name="milestone_id">
          {later.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
        <Button kind="quiet">{texts.move}</Button>
      </Form>
    </details>
  );
}

/** Returns the parameters that no field of the form shows. */
function pickHidden({ path: _path, show: _show, search: _search, ...narrowing }: BoardContent["kept"]) {
  return narrowing;
}

/** The address of the list of all cases of a column. */
function composeListAddress({ kept: { path, ...kept } }: BoardContent, milestone: string): string {
  const query = { view: "list", ...kept, relations_paths: path!, milestone_ids: milestone, status: "open" };
  return `/app/cases?${new URLSearchParams(query)}`;
}
