/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** What can be done with an open case. */
import { AreaField, Button, Checkbox, CheckboxGroup, Form, SelectField, TextField } from "../forms.tsx";
import { formatMomentField } from "../moments.ts";
import { asksAgain } from "../shown_forms.ts";
import { makeChoice } from "../parts/choices.ts";
import { OfferedField, OfferedGroup } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";
import type { CaseContent } from "./load.ts";

interface Props {
  readonly visit: Visit;
  readonly content: CaseContent;
}

export const channels = ["phone", "email", "meeting", "letter", "chat", "other"] as const;
export const taskTypes = ["call", "email", "letter", "meeting", "remind_me"] as const;

/** What can be done, by the rights of the person. A case that has ended takes what opens it again, and notes. */
export function CaseForms({ visit, content }: Props) {
  const isOpen = content.record.status === "open";
  const changes = visit.may("cases.update");
  return (
    <div class="columns">
      {changes && content.types.length > 0 ? <ActivityForm visit={visit} content={content} /> : null}
      <div>
        <NoteForm visit={visit} content={content} />
        {changes && isOpen
          ? (
            <>
              <TaskForm visit={visit} content={content} />
              <Expectations visit={visit} content={content} />
              <DeclineForm visit={visit} content={content} />
            </>
          )
          : null}
      </div>
    </div>
  );
}

function ActivityForm({ visit, content: { record, types, people, templates } }: Props) {
  const { texts: { cases: texts }, forms } = visit;
  const action = `/app/cases/${record.id}/activities`;
  const in_ = { forms, action };
  return (
    <Form forms={forms} action={action} name={texts.newActivity} class="sheet">
      <h2>{texts.newActivity}</h2>
      <CheckboxGroup
        {...in_}
        name="activity_type_ids"
        label={texts.whatHappened}
        choices={types.map(makeChoice)}
      />
      <SelectField
        {...in_}
        name="communication_channel"
        label={texts.channel}
        choices={[
          { value: "", text: "–" },
          ...channels.map((value) => ({ value, text: texts.channels[value] ?? value })),
        ]}
      />
      <AreaField {...in_} name="note" label={texts.note} />
      <details open={asksAgain(forms, action)}>
        <summary>{texts.nextTask}</summary>
        <TaskFields visit={visit} people={people} action={action} within="task." />
      </details>
      <details open={asksAgain(forms, action)}>
        <summary>{texts.email}</summary>
        <OfferedField
          {...in_}
          name="template_id"
          path="correspondence.email.template_id"
          label={texts.template}
          before={[{ value: "", text: "–" }]}
          offer={templates}
        />
        <TextField {...in_} name="email_subject" path="correspondence.email.subject" label={texts.subject} />
        <AreaField
          {...in_}
          name="email_content"
          path="correspondence.email.content"
          label={texts.message}
          rows={6}
        />
        <Checkbox {...in_} name="email_send" label={texts.sendNow} checked={false} />
      </details>
      <Button>{texts.saveActivity}</Button>
    </Form>
  );
}

/** The fields of a task. `within`: the member of the body that it is, with a dot; then none may be chosen. */
function TaskFields({ visit, people, action, within }: {
  readonly visit: Visit;
  readonly people: CaseContent["people"];
  readonly action: string;
  readonly within: "task." | "";
}) {
  const { texts: { cases: texts, tasks, asUsual }, forms, person, now } = visit;
  const of = (member: string) => ({ forms, action, name: `task_${member}`, path: `${within}${member}` });
  const types = taskTypes.map((value) => ({ value, text: tasks.types[value]! }));
  return (
    <>
      <SelectField
        {...of("type")}
        label={texts.taskType}
        choices={within === "" ? types : [{ value: "", text: "–" }, ...types]}
      />
      <TextField
        {...of("start_at")}
        type="datetime-local"
        label={texts.from}
        value={formatMomentField(now + 86_400_000, person.timezone)}
      />
      <TextField
        {...of("end_at")}
        type="datetime-local"
        label={texts.to}
        value={formatMomentField(now + 90_000_000, person.timezone)}
      />
      <OfferedField
        {...of("user_id")}
        label={texts.forWhom}
        before={[{ value: "", text: asUsual }]}
        offer={people}
      />
    </>
  );
}

function TaskForm({ visit, content: { record, people } }: Props) {
  const { texts: { cases: texts }, forms } = visit;
  const action = `/app/cases/${record.id}/tasks`;
  return (
    <Form forms={forms} action={action} name={texts.newTask} class="sheet">
      <h2>{texts.newTask}</h2>
      <TaskFields visit={visit} people={people} action={action} within="" />
      <AreaField forms={forms} action={action} name="task_note" path="note" label={texts.taskNote} rows={2} />
      <Button kind="quiet">{texts.addTask}</Button>
    </Form>
  );
}

function NoteForm({ visit, content: { record, people } }: Props) {
  const { texts: { cases: texts }, forms } = visit;
  const action = `/app/cases/${record.id}/notes`;
  return (
    <Form forms={forms} action={action} name={texts.newNote} class="sheet">
      <AreaField forms={forms} action={action} name="note" label={texts.newNote} />
      <details open={asksAgain(forms, action)}>
        <summary>{texts.mention}</summary>
        <OfferedGroup
          forms={forms}
          action={action}
          name="mentions"
          path="notify.users"
          label={texts.mention}
          offer={people}
        />
      </details>
      <Button kind="quiet">{texts.addNote}</Button>
    </Form>
  );
}

function Expectations({ visit, content: { record } }: Props) {
  const { texts: { cases: texts }, forms } = visit;
  const [chance, close] = [`/app/cases/${record.id}/chance`, `/app/cases/${record.id}/close-date`];
  return (
    <div class="sheet">
      <Form forms={forms} action={chance} name={texts.saveChance}>
        <TextField
          forms={forms}
          action={chance}
          type="number"
          name="chance_of_success"
          label={texts.chance}
          value={String(record.chance_of_success)}
        />
        <Button kind="quiet">{texts.saveChance}</Button>
      </Form>
      <Form forms={forms} action={close} name={texts.saveDate}>
        <TextField
          forms={forms}
          action={close}
          type="date"
          name="date"
          label={texts.expectedClose}
          value={record.estimated_close_date?.slice(0, 10) ?? null}
        />
        <Button kind="quiet">{texts.saveDate}</Button>
      </Form>
    </div>
  );
}

function DeclineForm({ visit, content: { record } }: Props) {
  const { texts: { cases: texts, leads }, forms } = visit;
  const action = `/app/cases/${record.id}/decline`;
  return (
    <details class="sheet">
      <summary>{texts.decline}</summary>
      <Form forms={forms} action={action} name={texts.declineCase}>
        <AreaField forms={forms} action={action} name="reason" label={leads.reason} />
        <Button kind="bad">{texts.declineCase}</Button>
      </Form>
    </details>
  );
}
