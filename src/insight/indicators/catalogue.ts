/**
 * The catalogue of indicators: what each counts, in which unit, and by which properties its figures can be grouped
 * and filtered. The endpoint, the documentation and the figures follow from it.
 */
import { activityFlags, customerFlags, type FactKind, inTime } from "../../core/fact_kinds.ts";
import { type Grouping, indicator, type IndicatorDefinition, of } from "./indicator.ts";

export { type Grouping, groupings, type IndicatorDefinition, indicatorGroups } from "./indicator.ts";

const always: readonly Grouping[] = ["company", "group", "team", "user"];
const ofLead: readonly Grouping[] = [...always, "lead_source", "lead_type"];
const ofCase: readonly Grouping[] = [...ofLead, "relations_path"];

const { created, deleted, b2c } = customerFlags;

/** The four of one kind of customers. */
function customers(kind: "account" | "contact", consumers: boolean): IndicatorDefinition[] {
  const name = `${kind}s.${consumers ? "b2c" : "b2b"}`;
  const what = `${consumers ? "consumers'" : "businesses'"} ${kind}s`;
  const flag = consumers ? b2c : 0;
  const made = of(kind, { mask: created | b2c, bits: created | flag });
  const gone = of(kind, { mask: deleted | b2c, bits: deleted | flag, sign: -1 });
  const there = of(kind, { mask: b2c, bits: flag });
  return [
    indicator(`${name}.created`, "contacts", `New ${what}, by the acceptance of a lead too.`, ofLead, made),
    indicator(`${name}.deleted`, "contacts", `Deleted ${what}.`, ofLead, gone),
    indicator(`${name}.deleted.total`, "contacts", `All ${what} deleted so far.`, ofLead, gone, {
      kind: "level",
    }),
    indicator(`${name}.total`, "contacts", `All ${what}.`, ofLead, there, { kind: "level" }),
  ];
}

const contactLevels: readonly (readonly [string, string, number])[] = [
  ["accounts_contacts.without_address", "Contacts whose account has no address.", customerFlags.noAddress],
  ["accounts_contacts.without_email", "Contacts without an e-mail address.", customerFlags.noEmail],
  ["accounts_contacts.without_phone_number", "Contacts without a phone number.", customerFlags.noPhone],
  ["contacts.consent.email", "Contacts who consent to e-mails.", customerFlags.consentEmail],
  ["contacts.consent.call", "Contacts who consent to calls.", customerFlags.consentCall],
  ["contacts.consent.letter", "Contacts who consent to letters.", customerFlags.consentLetter],
  ["contacts.consent.sms", "Contacts who consent to text messages.", customerFlags.consentSms],
];
const level = { kind: "level" } as const;
const ofAsked: readonly Grouping[] = [...ofLead, "product"];

const leadCounts: readonly (readonly [string, FactKind, string])[] = [
  ["created", "lead_created", "New leads."],
  ["assigned", "lead_assigned", "Assignments of leads to teams, the one at creation too."],
  ["accepted", "lead_accepted", "Leads accepted."],
  ["rejected", "lead_rejected", "Leads rejected."],
  ["escalated", "lead_escalated", "Leads that nobody accepted or worked on in time."],
  ["called", "lead_called", "Escalated leads that the agency called."],
  ["revoked", "lead_revoked", "Called leads that nobody accepted or worked on in time."],
  ["deleted", "lead_deleted", "Deleted leads."],
];

const withProducts: readonly Grouping[] = [...ofCase, "product"];
const withTypes: readonly Grouping[] = [...ofCase, "activity_type"];
const mean = (kind: FactKind, sum: "value" | "value2" = "value") => [of(kind, { sum }), of(kind)];
const channels: readonly (readonly [string, string, number])[] = [
  ["emails", "Activities by e-mail.", activityFlags.email],
  ["phone_calls", "Activities by phone.", activityFlags.phone],
  ["letters", "Activities by letter.", activityFlags.letter],
  ["meetings", "Meetings.", activityFlags.meeting],
  ["chats", "Activities by chat.", activityFlags.chat],
];
const channel = (bit: number) => of("activity", { mask: bit, bits: bit });

export const indicators: readonly IndicatorDefinition[] = [
  ...customers("account", false),
  ...customers("account", true),
  ...customers("contact", false),
  ...customers("contact", true),
  ...contactLevels.map(([name, description, bit]) =>
    indicator(name, "contacts", description, ofLead, of("contact", { mask: bit, bits: bit }), level)
  ),
  indicator(
    "campaigns.unsubscribed",
    "contacts",
    "Consents to e-mails that an unsubscribe link ended.",
    always,
    of("unsubscribed"),
  ),
  ...leadCounts.map(([name, kind, description]) =>
    indicator(`leads.${name}`, "leads", description, ofAsked, of(kind))
  ),
  indicator(
    "leads.open",
    "leads",
    "Leads that are neither accepted, expired nor deleted.",
    ofAsked,
    of("lead_open"),
    level,
  ),
  indicator(
    "leads.time_to_accept",
    "leads",
    "Seconds from the assignment of a lead to its acceptance.",
    ofAsked,
    mean("lead_accepted"),
    { kind: "mean", unit: "seconds" },
  ),
  indicator(
    "leads.time_to_first_activity",
    "leads",
    "Seconds from the acceptance of a lead to the first activity of its case.",
    ofAsked,
    mean("lead_first_activity"),
    { kind: "mean", unit: "seconds" },
  ),
  indicator(
    "leads.acceptance_rate",
    "leads",
    "Assignments in the time that the team accepted before its end.",
    ofAsked,
    [of("assignment_accepted"), of("lead_assigned")],
    { kind: "rate", unit: "percent", special: "acceptance_rate" },
  ),
  indicator("cases.created", "cases", "New cases.", withProducts, of("case_created")),
  indicator(
    "cases.closed",
    "cases",
    "Cases closed; a case can close twice.",
    withProducts,
    of("case_closed"),
  ),
  indicator("cases.declined", "cases", "Cases declined.", withProducts, of("case_declined")),
  indicator("cases.reopened", "cases", "Cases opened again.", withProducts, of("case_reopened")),
  indicator("cases.open", "cases", "Open cases.", withProducts, of("case_open"), level),
  indicator(
    "cases.open.value",
    "cases",
    "What open cases offer.",
    withProducts,
    of("case_open", { sum: "value" }),
    { kind: "level", unit: "money" },
  ),
  indicator(
    "cases.open.weighted_value",
    "cases",
    "What open cases offer, by their chance of success.",
    withProducts,
    of("case_open", { sum: "value2" }),
    { kind: "level", unit: "money" },
  ),
  indicator(
    "cases.closed.value",
    "cases",
    "The value of closed cases.",
    withProducts,
    of("case_closed", { sum: "value" }),
    { kind: "sum", unit: "money" },
  ),
  indicator(
    "cases.time_to_close",
    "cases",
    "Seconds from the creation of a case until it closes.",
    withProducts,
    mean("case_closed", "value2"),
    { kind: "mean", unit: "seconds" },
  ),
  indicator(
    "cases.success_rate",
    "cases",
    "Closings among closings and declines.",
    withProducts,
    [of("case_closed"), of("case_closed"), of("case_declined")],
    { kind: "rate", unit: "percent" },
  ),
  indicator("activities.created", "activities", "New activities.", withTypes, of("activity")),
  indicator(
    "activities.milestones",
    "activities",
    "Activities that reach a milestone, again too.",
    withTypes,
    channel(activityFlags.milestone),
    { types: "milestone_types" },
  ),
  ...channels.map(([name, description, bit]) =>
    indicator(`activities.${name}`, "activities", description, withTypes, channel(bit))
  ),
  indicator("tasks.created", "activities", "New tasks, by the assigned user.", ofCase, of("task_created")),
  indicator("tasks.completed", "activities", "Tasks completed, each once.", ofCase, of("task_completed")),
  indicator(
    "tasks.completed_in_time",
    "activities",
    "Tasks completed before their end, each once.",
    ofCase,
    of("task_completed", { mask: inTime, bits: inTime }),
  ),
  indicator(
    "tasks.overdue",
    "activities",
    "Open tasks whose end has passed.",
    ofCase,
    of("task_overdue"),
    level,
  ),
  indicator(
    "products.sold",
    "products",
    "The quantity of products in cases that close.",
    withProducts,
    of("product_line", { sum: "value" }),
    { kind: "sum" },
  ),
  indicator(
    "products.revenue",
    "products",
    "The price of products in cases that close.",
    withProducts,
    of("product_line", { sum: "value2" }),
    { kind: "sum", unit: "money" },
  ),
  indicator(
    "emails.sent",
    "messages",
    "E-mails of activities and automated communications that the mail server accepted.",
    ofCase,
    of("email_sent"),
  ),
  indicator("letters.made", "messages", "Letters of activities.", ofCase, of("letter_made")),
  indicator(
    "emails.opened",
    "messages",
    "E-mails of cases that were opened, each once.",
    ofCase,
    of("email_opened"),
  ),
  indicator("campaigns.sent", "messages", "Campaigns sent.", always, of("campaign_sent")),
  indicator("campaigns.messages", "messages", "Messages of campaigns sent.", always, of("campaign_message")),
  indicator(
    "users.active",
    "usage",
    "Different users with a call that changed something.",
    always,
    of("call"),
    { special: "active_users" },
  ),
  indicator("users.total", "usage", "Users.", always, of("user"), { kind: "level", special: "users" }),
  indicator("notes.created", "usage", "New notes.", ofCase, of("note")),
  indicator("notes.mentions", "usage", "Notes that name a user or a team, each once.", ofCase, of("mention")),
  indicator("sign_ins", "usage", "Sign-ins of users.", always, of("sign_in")),
];

const byName = new Map(indicators.map((entry) => [entry.name, entry]));

export const indicatorNames: readonly string[] = indicators.map(({ name }) => name);

export function findIndicator(name: string): IndicatorDefinition | undefined {
  return byName.get(name);
}
