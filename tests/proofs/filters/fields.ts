/** Every field that a filter may name, as documented: the record that has it, its type and its operators. */

export type FieldType =
  | "text"
  | "id"
  | "reference"
  | "integer"
  | "number"
  | "boolean"
  | "timestamp"
  | "day"
  | "choice"
  | "choices";

export type Operator =
  | "eq"
  | "neq"
  | "sw"
  | "ew"
  | "ct"
  | "nct"
  | "exists"
  | "gt"
  | "gte"
  | "lt"
  | "lte"
  | "in"
  | "nin";

const every = ["eq", "neq", "exists", "in", "nin"] as const;
const texts = [...every, "sw", "ew", "ct", "nct"] as const;
const ordered = [...every, "gt", "gte", "lt", "lte"] as const;

export const operators: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: texts,
  // Ids are texts in filters: complete ids, or parts of ids with operators for parts.
  id: texts,
  // An id from a choice.
  reference: every,
  integer: ordered,
  number: ordered,
  boolean: every,
  timestamp: ordered,
  day: ordered,
  choice: every,
  choices: every,
};

/** The kinds of records to which filters of accounts, contacts and leads refer. */
export type Root = "account" | "contact" | "case" | "lead" | "product";

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly root: Root;
  /**
   * The kind of records below the root that have the field: `tasks`, `milestones`. Null for the root itself.
   */
  readonly below: string | null;
  /** The key of the field's values in the facts of the record. */
  readonly key: string;
  /** Set for a field of consumers only, or of organisations only. */
  readonly kind: "b2b" | "b2c" | null;
  /** True for a further name of a field. */
  readonly alias: boolean;
  /** The choices of the field, if it has any. */
  readonly options: readonly string[];
}

/** A field of accounts or contacts that a company or the service has defined. */
export interface OwnField {
  readonly id: string | number;
  readonly name: string;
  readonly type: string;
  readonly options: readonly { readonly id: string }[];
}

export interface OwnFields {
  readonly fixed: readonly OwnField[];
  readonly custom: readonly OwnField[];
}

const channels = ["call", "email", "letter", "sms"];
const statuses = {
  case: ["open", "closed", "declined"],
  contact: ["lead", "opportunity", "customer"],
  lead: ["assigned", "accepted", "assignable", "rejected", "escalated", "called", "revoked"],
};
const tasks = {
  type: ["email", "call", "meeting", "remind_me", "letter"],
  status: ["pending", "later", "completed", "overdue"],
};
const milestoneTypes = ["test_drive", "offer", "need_analysis"];

type Line = readonly [name: string, type: FieldType, options?: readonly string[]];

/** The fields of each root, named as in the facts of the record, without the name of the root. */
const lines: Readonly<Record<Root, readonly Line[]>> = {
  account: [["b2c", "boolean"], ["created_at", "timestamp"], ["updated_at", "timestamp"]],
  contact: [
    ["b2c", "boolean"],
    ["created_at", "timestamp"],
    ["updated_at", "timestamp"],
    ["account.id", "id"],
    ["status", "choice", statuses.contact],
    ["team_id", "number"],
  ],
  case: [
    ["created_at", "timestamp"],
    ["latest_activity_at", "timestamp"],
    ["status", "choice", statuses.case],
    ["lead_type_id", "id"],
    ["relations_path_id", "id"],
    ["stock_vehicle.id", "id"],
    ["extra_steps.id", "reference"],
    ["supportive.id", "reference"],
    ["milestones.id", "reference"],
    ["milestones.type", "choice", milestoneTypes],
    ["milestones.created_at", "timestamp"],
    ["tasks.id", "id"],
    ["tasks.type", "choice", tasks.type],
    ["tasks.status", "choice", tasks.status],
    ["tasks.user_id", "integer"],
    ["tasks.start_at", "timestamp"],
    ["tasks.end_at", "timestamp"],
    ["tasks.completed_at", "timestamp"],
    ["tasks.created_at", "timestamp"],
  ],
  lead: [
    ["acceptions.team_id", "number"],
    ["assignments.team_id", "number"],
    ["rejections.team_id", "number"],
    ["team_id", "integer"],
    ["account_id", "id"],
    ["case_id", "id"],
    ["contact_id", "id"],
    ["lead_type_id", "id"],
    ["interest", "text"],
    ["lead_source", "text"],
    ["lead_type", "text"],
    ["status", "text", statuses.lead],
    ["created_at", "timestamp"],
    ["deleted_at", "timestamp"],
    ["expires_at", "timestamp"],
    ["updated_at", "timestamp"],
  ],
  product: [
    ["category", "integer"],
    ["quantity", "integer"],
    ["comment", "text"],
    ["name", "text"],
    ["created_at", "timestamp"],
  ],
};

/** The kinds of records below a case. Conditions on a kind must hold for the same record. */
const below = ["milestones", "tasks"];

/** Returns all fields of the roots, by name. */
export function listFields(roots: readonly Root[], own: Readonly<Record<"account" | "contact", OwnFields>>) {
  const all: Field[] = [];
  for (const root of roots) {
    const prefix = root === "product" ? "product_detail.product" : root;
    for (const [path, type, options = []] of lines[root]) {
      const [first, ...rest] = path.split(".");
      const part = root === "case" && below.includes(first!) ? first! : null;
      const key = part === null ? path : rest.join(".");
      all.push({
        name: `${prefix}.${path}`,
        type,
        root,
        below: part,
        key,
        kind: null,
        alias: false,
        options,
      });
    }
    if (root === "account" || root === "contact") all.push(...ownFields(root, own[root]));
    if (root === "contact") all.push(...consents());
  }
  return new Map(all.map((field) => [field.name, field]));
}

/**
 * Returns the fixed and custom fields by name and by id, in the namespaces for all, for organisations and for
 * consumers.
 */
function ownFields(root: "account" | "contact", { fixed, custom }: OwnFields): Field[] {
  const namespaces = [
    // For contacts, the plain namespace means consumers, as before the other namespaces existed.
    { prefix: root, kind: root === "contact" ? "b2c" as const : null },
    { prefix: `b2b_${root}`, kind: "b2b" as const },
    { prefix: `b2c_${root}`, kind: "b2c" as const },
  ];
  const lists = { fixed_fields: fixed, custom_fields: custom };
  return namespaces.flatMap(({ prefix, kind }) =>
    Object.entries(lists).flatMap(([list, fields]) =>
      fields.flatMap(({ id, name, type, options }) => {
        // In the plain namespace, the name of the list may be left out.
        const short = prefix === root ? [name, `id.${id}`] : [];
        return [`${list}.${name}`, `${list}.id.${id}`, ...short].map((named, index) => ({
          name: `${prefix}.${named}`,
          type: ownTypes[type]!,
          root,
          below: null,
          key: `${list}.${name}`,
          kind,
          alias: index > 0,
          options: options.map((option) => option.id),
        }));
      })
    )
  );
}

const ownTypes: Readonly<Record<string, FieldType>> = {
  text: "text",
  multi_line: "text",
  numeric: "number",
  date: "day",
  boolean: "boolean",
  single_choice: "choice",
  multiple_choice: "choices",
};

function consents(): Field[] {
  const namespaces = [["contact", null], ["b2b_contact", "b2b"], ["b2c_contact", "b2c"]] as const;
  const parts = [["consent_given", "boolean"], ["updated_at", "timestamp"]] as const;
  return namespaces.flatMap(([prefix, kind]) =>
    channels.flatMap((channel) =>
      parts.map(([part, type]) => {
        const key = `consent.${channel}.${part}`;
        return {
          name: `${prefix}.${key}`,
          type,
          root: "contact" as const,
          below: null,
          key,
          kind,
          alias: false,
          options: [],
        };
      })
    )
  );
}
