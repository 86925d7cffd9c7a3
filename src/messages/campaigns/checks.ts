/** Checks the members of a campaign, as they will be after the change. */
import { type FieldError, fieldError } from "../../core/errors.ts";
import type { TaskPlan } from "./present.ts";
import type { CampaignTaskBody } from "./parts.ts";
import type { CampaignRow } from "./record.ts";

/** A campaign after a change. */
export interface CampaignDraft extends
  Pick<
    CampaignRow,
    | "type"
    | "name"
    | "description"
    | "subject"
    | "content"
    | "sender"
    | "template_id"
    | "relations_path_id"
    | "filter"
    | "send_at"
  > {
  readonly approved: boolean;
  readonly task: TaskPlan | null;
}

/** The task and the relations path of a body. */
export function readTaskBody(body: CampaignTaskBody | null) {
  if (body === null) return { task: null, relations_path_id: null };
  const {
    distribution_strategy,
    distribute_users,
    relations_path,
    start_at,
    end_at,
  } = body;
  const users = [...new Set(distribute_users ?? [])];
  return {
    task: { distribution_strategy, distribute_users: users, start_at, end_at },
    relations_path_id: relations_path,
  };
}

const parts = ["subject", "content", "sender"] as const;
type Part = typeof parts[number];

/** Adds an error for each missing part of the message. `had`: whether a draft, too, must have the part. */
export function checkMessage(
  draft: Pick<CampaignDraft, "type" | "approved" | Part>,
  had: (part: Part) => boolean,
  errors: FieldError[],
): void {
  for (const part of parts) {
    const isNeeded = draft.type === "email" ||
      (draft.type === "letter" && part === "content") ||
      (!draft.approved && had(part));
    if (isNeeded && draft[part] === null) {
      errors.push(
        fieldError(`message.${part}`, "required", "Must have a value."),
      );
    }
  }
}

/**
 * Adds an error for each missing member of an approved campaign. `timeRule`: the message for a missing
 * `send_at`.
 */
export function checkApproved(draft: CampaignDraft, timeRule: string, errors: FieldError[]): void {
  if (!draft.approved) return;
  const reportMissing = (path: string, rule = "An approved campaign needs it.") =>
    errors.push(fieldError(path, "required", rule));
  if (draft.filter === null) reportMissing("filter");
  if (draft.send_at === null) reportMissing("send_at", timeRule);
  if (draft.type === "telephone" && draft.task === null) reportMissing("task");
  if (draft.task !== null && draft.relations_path_id === null) {
    reportMissing("task.relations_path");
  }
}

/** Adds an error for a `send_at` that is not after `at`. `isGiven`: whether the body has it. */
export function checkSendAt(
  draft: CampaignDraft,
  isGiven: boolean,
  at: string,
  errors: FieldError[],
): void {
  if (
    draft.send_at === null || !(isGiven || draft.approved) || draft.send_at > at
  ) return;
  errors.push(fieldError("send_at", "after", "Must be in the future."));
}

/**
 * Adds errors for a task to distribute without users, and for times out of order. `from`: when the campaign
 * is sent.
 */
export function checkTask(
  { task }: CampaignDraft,
  from: string,
  errors: FieldError[],
): void {
  if (task === null) return;
  const { distribution_strategy, distribute_users, start_at, end_at } = task;
  if (distribution_strategy === "distribute" && distribute_users.length === 0) {
    errors.push(
      fieldError(
        "task.distribute_users",
        "required",
        "Must name the users to distribute to.",
      ),
    );
  }
  if (start_at <= from) {
    errors.push(
      fieldError(
        "task.start_at",
        "after",
        "Must be after the campaign is sent.",
      ),
    );
  }
  if (end_at <= start_at) {
    errors.push(fieldError("task.end_at", "after", "Must be after start_at."));
  }
}

/** Adds an error for a template of a campaign by telephone. */
export function checkFrame(
  { type, template_id }: CampaignDraft,
  errors: FieldError[],
): void {
  if (type !== "telephone" || template_id === null) return;
  errors.push(
    fieldError(
      "template_id",
      "excluded",
      "Calls by telephone have no template.",
    ),
  );
}
