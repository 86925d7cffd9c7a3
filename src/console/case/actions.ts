/** What can be done with a case. */
import { makeBody } from "../form_body.ts";
import { parseMoment } from "../moments.ts";
import type { MessageName } from "../message.ts";
import { attachSent, fileFormLimit } from "../parts/files.tsx";
import type { Action } from "../page.ts";
import { composeTypedHtml } from "../typed_text.ts";
import type { Visit } from "../visit.ts";
import { casePage as page } from "./page.tsx";

function returnToCase({ params }: Visit, name: MessageName) {
  return { to: `/app/cases/${params.case_id}`, message: { name } };
}

function readText(form: FormData, name: string): string | undefined {
  const value = form.get(name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export const caseActions: readonly Action[] = [
  {
    path: "/app/cases/:case_id/activities",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      const body = makeBody(form, { activity_type_ids: "texts", communication_channel: "text" });
      const note = composeTypedHtml(readText(form, "note"));
      const [task, email] = [readTask(visit), readEmail(form)];
      await change("createActivity", {
        params,
        body: {
          ...body,
          ...(note === undefined ? {} : { note }),
          ...(task ? { task } : {}),
          ...(email ? { correspondence: { email } } : {}),
        },
      });
      return returnToCase(visit, "activitySaved");
    },
  },
  {
    path: "/app/cases/:case_id/tasks",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      const note = composeTypedHtml(readText(form, "task_note"));
      const body = { ...readTask(visit), ...(note === undefined ? {} : { note }) };
      await change("createTask", { params, body });
      return returnToCase(visit, "taskAdded");
    },
  },
  {
    path: "/app/cases/:case_id/files",
    page,
    limit: fileFormLimit,
    async run(visit) {
      await attachSent(visit, "attachCaseFiles", visit.params);
      return returnToCase(visit, "fileUploaded");
    },
  },
  {
    path: "/app/cases/:case_id/files/:file_id/detach",
    page,
    async run(visit) {
      const { change, params } = visit;
      await change("detachCaseFiles", { params, body: { file_ids: [params.file_id] } });
      return returnToCase(visit, "fileDetached");
    },
  },
  {
    path: "/app/cases/:case_id/notes",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      const { mentions } = makeBody(form, { mentions: "integers" });
      const note = composeTypedHtml(readText(form, "note"));
      await change("createNote", {
        body: {
          note,
          case_id: params.case_id,
          ...((mentions as unknown[]).length > 0 ? { notify: { users: mentions } } : {}),
        },
      });
      return returnToCase(visit, "noteAdded");
    },
  },
  {
    path: "/app/cases/:case_id/chance",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      await change("setChanceOfSuccess", { params, body: makeBody(form, { chance_of_success: "integer" }) });
      return returnToCase(visit, "saved");
    },
  },
  {
    path: "/app/cases/:case_id/close-date",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      await change("setEstimatedCloseDate", { params, body: makeBody(form, { date: "text" }) });
      return returnToCase(visit, "saved");
    },
  },
  {
    path: "/app/cases/:case_id/decline",
    page,
    async run(visit) {
      const { change, params, form } = visit;
      await change("declineCase", { params, body: makeBody(form, { reason: "text" }) });
      return returnToCase(visit, "caseDeclined");
    },
  },
  {
    path: "/app/cases/:case_id/tasks/:task_id/done",
    page,
    async run(visit) {
      await visit.change("updateTask", { params: visit.params, body: { completed: true } });
      return returnToCase(visit, "taskDone");
    },
  },
];

/** Returns the task that the form plans; null when no type is chosen. */
function readTask({ form, person }: Visit): Record<string, unknown> | null {
  const type = readText(form, "task_type");
  if (type === undefined) return null;
  const { task_user_id } = makeBody(form, { task_user_id: "integer" });
  return {
    type,
    start_at: parseMoment(readText(form, "task_start_at"), person.timezone),
    end_at: parseMoment(readText(form, "task_end_at"), person.timezone),
    ...(task_user_id === undefined ? {} : { user_id: task_user_id }),
  };
}

/** Returns the e-mail of the form; null when nothing of it is filled in. */
function readEmail(form: FormData): Record<string, unknown> | null {
  const [subject, content] = [
    readText(form, "email_subject"),
    composeTypedHtml(readText(form, "email_content")),
  ];
  const { template_id } = makeBody(form, { template_id: "integer" });
  const send = form.get("email_send") === "on";
  if (subject === undefined && content === undefined && template_id === undefined && !send) return null;
  return {
    ...(template_id === undefined ? {} : { template_id }),
    ...(subject === undefined ? {} : { subject }),
    ...(content === undefined ? {} : { content }),
    send,
  };
}
