/** The indicators, as the specification lists them. */

export type Kind = "count" | "sum" | "level" | "mean" | "rate";
export type Property =
  | "activity_type"
  | "company"
  | "group"
  | "lead_source"
  | "lead_type"
  | "product"
  | "relations_path"
  | "team"
  | "user";

export interface Indicator {
  readonly kind: Kind;
  readonly has: ReadonlySet<Property>;
  /** Every user of the company counts it. */
  readonly isPublic: boolean;
  /** Its agency counts it in every team; without a team, only admins and the agency do. */
  readonly isOfLeads: boolean;
}

const always: readonly Property[] = ["company", "group", "team", "user"];
const lead: readonly Property[] = [...always, "lead_source", "lead_type"];
const ofCase: readonly Property[] = [...lead, "relations_path"];

export const indicators: ReadonlyMap<string, Indicator> = new Map([
  ...["accounts.b2b", "accounts.b2c", "contacts.b2b", "contacts.b2c"].flatMap((name) => [
    one(`${name}.created`, "count", lead),
    one(`${name}.deleted`, "count", lead),
    one(`${name}.deleted.total`, "level", lead),
    one(`${name}.total`, "level", lead),
  ]),
  ...["without_address", "without_email", "without_phone_number"].map((name) =>
    one(`accounts_contacts.${name}`, "level", lead)
  ),
  ...["email", "call", "letter", "sms"].map((name) => one(`contacts.consent.${name}`, "level", lead)),
  ...["created", "assigned", "accepted", "rejected", "escalated", "called", "revoked", "deleted"].map((
    name,
  ) => one(`leads.${name}`, "count", [...lead, "product"])),
  one("leads.open", "level", [...lead, "product"]),
  one("leads.time_to_accept", "mean", [...lead, "product"]),
  one("leads.time_to_first_activity", "mean", [...lead, "product"]),
  one("leads.acceptance_rate", "rate", [...lead, "product"]),
  ...["created", "closed", "declined", "reopened"].map((name) =>
    one(`cases.${name}`, "count", [...ofCase, "product"])
  ),
  ...["open", "open.value", "open.weighted_value"].map((name) =>
    one(`cases.${name}`, "level", [...ofCase, "product"])
  ),
  one("cases.closed.value", "sum", [...ofCase, "product"]),
  one("cases.time_to_close", "mean", [...ofCase, "product"]),
  one("cases.success_rate", "rate", [...ofCase, "product"]),
  ...["created", "milestones", "emails", "phone_calls", "letters", "meetings", "chats"].map((name) =>
    one(`activities.${name}`, "count", [...ofCase, "activity_type"])
  ),
  ...["created", "completed", "completed_in_time"].map((name) => one(`tasks.${name}`, "count", ofCase)),
  one("tasks.overdue", "level", ofCase),
  one("products.sold", "sum", [...ofCase, "product"]),
  one("products.revenue", "sum", [...ofCase, "product"]),
  one("letters.made", "count", ofCase),
  one("emails.sent", "count", ofCase),
  one("emails.opened", "count", ofCase),
  one("campaigns.unsubscribed", "count", always),
  one("campaigns.sent", "count", always),
  one("campaigns.messages", "count", always),
  one("sign_ins", "count", always),
  one("users.active", "count", always),
  one("users.total", "level", always),
  one("notes.created", "count", ofCase),
  one("notes.mentions", "count", ofCase),
]);

function one(name: string, kind: Kind, has: readonly Property[]): [string, Indicator] {
  return [name, {
    kind,
    has: new Set(has),
    isPublic: name.startsWith("users."),
    isOfLeads: name.startsWith("leads."),
  }];
}
