/**
 * The kinds of facts and their flags. A fact is something that happened, as it was at that moment: it is stored with
 * the change that made it and never changed. The numbers are stored; new kinds are appended.
 */
const names = [
  "call",
  "sign_in",
  "user",
  "user_team",
  "account",
  "contact",
  "unsubscribed",
  "lead_created",
  "lead_assigned",
  "lead_accepted",
  "lead_rejected",
  "lead_called",
  "lead_escalated",
  "lead_revoked",
  "lead_deleted",
  "lead_first_activity",
  "assignment_accepted",
  "lead_open",
  "case_created",
  "case_closed",
  "case_declined",
  "case_reopened",
  "case_open",
  "case_owner",
  "activity",
  "task_created",
  "task_completed",
  "task_overdue",
  "product_line",
  "email_sent",
  "letter_made",
  "email_opened",
  "campaign_sent",
  "campaign_message",
  "note",
  "mention",
  "filter_saved",
  "notification_sent",
  "contact_complete",
  "case_chance",
] as const;

export type FactKind = (typeof names)[number];

/** The stored number of each kind, from 1. */
export const factKinds = Object.fromEntries(names.map((name, index) => [name, index + 1])) as Readonly<
  Record<FactKind, number>
>;

/** Flags of accounts and contacts: the record was made or deleted; its kind; what it lacks; its consents. */
export const customerFlags = {
  created: 1,
  deleted: 2,
  b2c: 4,
  noAddress: 8,
  noEmail: 16,
  noPhone: 32,
  consentEmail: 64,
  consentCall: 128,
  consentLetter: 256,
  consentSms: 512,
} as const;

/** Flags of activities: it reached a milestone; its channel. */
export const activityFlags = {
  milestone: 1,
  email: 2,
  phone: 4,
  letter: 8,
  meeting: 16,
  chat: 32,
} as const;

/** Flag of a completed task: completed before its end. */
export const inTime = 1;

/** Flag of a mention: it names somebody other than the author. */
export const mentionsOther = 1;
