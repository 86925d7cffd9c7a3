/**
 * The writes of one writer: short stories of records that are created, updated, moved and deleted, one after
 * the other. Each writer has its own records, so the order of a record's events is known.
 */
import type { Body } from "../support/app.ts";
import { nameFields } from "../sales/leads_world.ts";
import type { Expected } from "./kill_expected.ts";

export interface Write {
  /** The idempotency key. */
  readonly key: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly body: object | undefined;
  readonly status: number;
  /** True when the reader sends it instead of the admin. */
  readonly reads: boolean;
}

/** The records that all writers share. */
export interface Shared {
  readonly dealer: number;
  /** A second team, and a member of it. */
  readonly other: number;
  readonly colleague: number;
  readonly reader: number;
  readonly company: number;
  /** A relations path, and its first milestone. */
  readonly path: string;
  readonly milestone: string;
  /** The body of a lead for the dealer team. */
  readonly lead: object;
}

type Call = Pick<Write, "method" | "path"> & Partial<Pick<Write, "body" | "status" | "reads">>;
/** Yields calls and receives the body of each answer. */
type Story = Generator<Call, void, Body>;

export class Writer {
  /** The write that was sent but not answered yet. */
  pending: Write | null = null;
  #story: Story | null = null;
  #call: Call | null = null;
  #begun = 0;
  #count = 0;

  /** `own`: a team and a user that only this writer changes. */
  constructor(
    readonly number: number,
    readonly shared: Shared,
    readonly own: { readonly team: number; readonly user: number },
    readonly expected: Expected,
  ) {}

  next(): Write {
    while (!this.#call) {
      const story = stories[(this.number + this.#begun++) % stories.length]!;
      this.#story = story(this, `Name ${this.number}-${this.#begun}`);
      this.#advance(undefined);
    }
    const call = this.#call;
    this.#call = null;
    return {
      key: `write-${this.number}-${this.#count++}`,
      body: undefined,
      status: { POST: 201, PUT: 200, DELETE: 204 }[call.method],
      reads: false,
      ...call,
    };
  }

  /** Takes the answer to the pending write and lets the story state the expected result. */
  answered(text: string): void {
    this.pending = null;
    this.#advance(this.expected.answered(text));
  }

  #advance(body: Body): void {
    const step = this.#story!.next(body);
    this.#call = step.done ? null : step.value;
  }
}

const post = (path: string, body: object): Call => ({ method: "POST", path, body });
const put = (path: string, body: object): Call => ({ method: "PUT", path, body });
const remove = (path: string): Call => ({ method: "DELETE", path });

const stories: readonly ((writer: Writer, name: string) => Story)[] = [
  customers,
  sale,
  acceptedLead,
  rejectedLead,
  notes,
  words,
  product,
  people,
];

/** Changes an account and a contact, moves them to other teams and accounts, and deletes them. */
function* customers({ shared, expected }: Writer, name: string): Story {
  const account = yield post("/v1/accounts", { fixed_fields: nameFields({ name }), external_id: name });
  expected.event("account_created", account);
  const path = `/v1/accounts/${account.id}`;
  const second = yield post("/v1/accounts", { fixed_fields: nameFields({ name: `${name} Ltd` }) });
  expected.event("account_created", second);
  const contact = yield post(`${path}/contacts`, { fixed_fields: nameFields({ last_name: name }) });
  expected.event("contact_created", contact);
  expected.event("account_updated", yield put(path, { team_id: shared.other }));
  const moved = yield put(`${path}/contacts/${contact.id}`, { account_id: second.id });
  expected.event("contact_updated", moved);
  const renamed = { fixed_fields: nameFields({ last_name: `${name} the Second` }) };
  const last = yield put(`/v1/accounts/${second.id}/contacts/${contact.id}`, renamed);
  expected.event("contact_updated", last);
  const changed = yield put(path, { fixed_fields: nameFields({ city: "Turin" }) });
  expected.event("account_updated", changed);
  yield remove(path);
  expected.event("account_deleted", changed);
  yield remove(`/v1/accounts/${second.id}/contacts/${contact.id}`);
  expected.event("contact_deleted", last);
}

/** Adds activities, a task and a note to a case, and deletes it with its account. */
function* sale({ shared, expected }: Writer, name: string): Story {
  const account = yield post("/v1/accounts", { fixed_fields: nameFields({ name }) });
  expected.event("account_created", account);
  const contact = yield post(`/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: name }),
  });
  expected.event("contact_created", contact);
  const kase = yield post("/v1/cases", { contact_id: contact.id, relations_path_id: shared.path });
  expected.event("case_created", kase);
  expected.also("contact_updated", contact.id);
  const path = `/v1/cases/${kase.id}`;
  const task = { type: "call", start_at: "2037-03-20 09:00:00", end_at: "2037-03-20 10:00:00" };
  const activity = yield post(`${path}/activities`, { activity_type_ids: [shared.milestone], task });
  expected.event("activity_created", activity);
  // A task by itself shows its case, and one inside its activity does not.
  const { id, case_number, status } = kase;
  const shown = { id: contact.id, name, email: null, phone_number: null };
  const of = { id, case_number, status, account: { id: account.id, name }, contact: shown };
  expected.event("task_created", { ...activity.task, case: of });
  expected.also("case_updated", kase.id);
  expected.event("case_updated", yield put(path, { team_id: shared.other, user_id: shared.colleague }));
  const note = yield post("/v1/notes", { note: name, case_id: kase.id });
  expected.event("note_created", note);
  expected.event("task_updated", yield put(`/v1/tasks/${activity.task.id}`, { completed: true }));
  expected.also("case_updated", kase.id);
  expected.event("timeline_event_created", yield post(`${path}/timeline`, { type: "visit", title: name }));
  const declined = yield put(`${path}/decline`, { reason: "Elsewhere" });
  expected.event("case_declined", declined);
  yield remove(`/v1/accounts/${account.id}`);
  for (const [kind, { id }] of Object.entries({ account, contact, case: kase, note, task: activity.task })) {
    expected.also(`${kind}_deleted`, id);
  }
}

/** Changes and accepts a lead and adds an activity, then deletes the lead and its case. */
function* acceptedLead({ shared, expected }: Writer, name: string): Story {
  const lead = yield post("/v1/leads", { ...shared.lead, lead_user: name });
  expected.event("lead_created", lead);
  expected.event("lead_assigned", lead);
  expected.notice("lead_assigned", lead.id);
  const path = `/v1/leads/${lead.id}`;
  expected.event("lead_updated", yield put(path, { interest: name }));
  const accepted = yield { ...put(`${path}/accept`, {}), reads: true };
  expected.event("lead_accepted", accepted);
  expected.also("account_created", accepted.account_id);
  expected.also("contact_created", accepted.contact_id);
  expected.also("case_created", accepted.case_id);
  const kase = `/v1/cases/${accepted.case_id}`;
  expected.event(
    "activity_created",
    yield post(`${kase}/activities`, { activity_type_ids: [shared.milestone] }),
  );
  expected.also("case_updated", accepted.case_id);
  expected.also("lead_updated", lead.id);
  yield remove(path);
  expected.also("lead_deleted", lead.id);
  expected.also("case_updated", accepted.case_id);
  yield remove(kase);
  expected.also("case_deleted", accepted.case_id);
}

/** Rejects a lead, assigns it again and deletes it. */
function* rejectedLead({ shared, expected }: Writer, name: string): Story {
  const lead = yield post("/v1/leads", { ...shared.lead, lead_user: name });
  expected.event("lead_created", lead);
  expected.event("lead_assigned", lead);
  expected.notice("lead_assigned", lead.id);
  const path = `/v1/leads/${lead.id}`;
  expected.event("lead_rejected", yield put(`${path}/reject`, { rejection_reason: name }));
  const again = yield { ...put(`${path}/assign`, { team_id: shared.dealer }), status: 201 };
  expected.event("lead_assigned", again);
  expected.notice("lead_assigned", lead.id);
  yield remove(path);
  expected.event("lead_deleted", again);
}

/** Changes a note that mentions the reader and deletes it. */
function* notes({ shared, expected }: Writer, name: string): Story {
  const account = yield post("/v1/accounts", { fixed_fields: nameFields({ name }) });
  expected.event("account_created", account);
  const contact = yield post(`/v1/accounts/${account.id}/contacts`, {
    fixed_fields: nameFields({ last_name: name }),
  });
  expected.event("contact_created", contact);
  const kase = yield post("/v1/cases", { contact_id: contact.id, relations_path_id: shared.path });
  expected.event("case_created", kase);
  expected.also("contact_updated", contact.id);
  const note = yield post("/v1/notes", { note: name, case_id: kase.id, notify: { users: [shared.reader] } });
  expected.event("note_created", note);
  expected.notice("note", kase.id);
  const path = `/v1/notes/${note.id}`;
  const changed = yield { ...put(path, { note: `${name}, changed` }), status: 201 };
  expected.event("note_updated", changed);
  yield remove(path);
  expected.event("note_deleted", changed);
}

/** Sends the reader a message, which the reader reads. */
function* words({ shared, expected }: Writer, name: string): Story {
  yield { ...post("/v1/notifications", { message: name, notify: { users: [shared.reader] } }), status: 202 };
  expected.notice("custom", name);
  yield { ...put("/v1/notifications/read", {}), status: 204, reads: true };
}

function* product({ expected }: Writer, name: string): Story {
  const product = yield post("/v1/products", { fixed_fields: nameFields({ name }) });
  expected.event("product_created", product);
  const path = `/v1/products/${product.id}`;
  const changed = yield put(path, { fixed_fields: nameFields({ list_price: 100 }) });
  expected.event("product_updated", changed);
  yield remove(path);
  expected.event("product_deleted", changed);
}

/** Moves a user between teams and changes the town of a team. */
function* people({ own, shared, expected }: Writer, name: string): Story {
  const path = `/v1/companies/${shared.company}/users/${own.user}`;
  expected.event("user_updated", yield put(path, { team_ids: [shared.dealer, shared.other] }));
  expected.event("team_updated", yield put(`/v1/teams/${own.team}`, { city: name }));
  expected.event("user_updated", yield put(path, { team_ids: [] }));
}
