/** Keeps the records of a company from their events alone, and compares bodies with them. */
import assert from "node:assert/strict";
import type { Body } from "../../support/app.ts";

export type Kind =
  | "account"
  | "activity"
  | "case"
  | "contact"
  | "lead"
  | "note"
  | "product"
  | "task"
  | "team"
  | "timeline_event"
  | "user";

export interface Mirrored {
  readonly kind: Kind;
  readonly id: string | number;
  readonly body: Body;
  readonly text: string;
}

export const makeKey = (kind: string, id: string | number) => `${kind} ${id}`;

/** The kind of the records that a body shows in part or as a summary, by key. */
const shown: Readonly<Record<string, Kind>> = {
  account: "account",
  contact: "contact",
  original_account: "account",
  original_contact: "contact",
  user: "user",
  team: "team",
  teams: "team",
  recent_activity: "activity",
  task: "task",
  tasks: "task",
  lead: "lead",
  case: "case",
};
/** Parts that change with another record and without an event of this one, such as groups and lead types. */
const foreign = new Set(["group", "lead_type", "relations_path", "relations_paths", "roles"]);

export class Mirror {
  readonly records = new Map<string, Mirrored>();

  get(kind: Kind, id: unknown): Body | undefined {
    return this.records.get(makeKey(kind, String(id)))?.body;
  }

  of(kind: Kind): Mirrored[] {
    return [...this.records.values()].filter((record) => record.kind === kind);
  }

  put(record: Mirrored): void {
    this.records.set(makeKey(record.kind, record.id), record);
  }

  remove(kind: Kind, id: string | number): void {
    this.records.delete(makeKey(kind, id));
  }

  /** Copies the current state. */
  copy(): Mirror {
    const copy = new Mirror();
    for (const [key, record] of this.records) copy.records.set(key, record);
    return copy;
  }

  /** Removes the records of a deleted case, which end without their own events. */
  forgetOn(caseId: string): void {
    for (const kind of ["activity", "timeline_event"] as const) {
      for (const { id, body } of this.of(kind)) if (body.case_id === caseId) this.remove(kind, id);
    }
  }

  /** Compares a body, and the records that it shows, with their last events. */
  hold(kind: Kind, body: Body, where: string): void {
    const known = this.get(kind, body.id);
    assert.ok(known, `${where} shows ${kind} ${body.id}, which is gone`);
    for (const [name, value] of Object.entries(body) as [string, Body][]) {
      if (foreign.has(name)) continue;
      // Lists and embedded cases do not show files.
      if (name === "attachments" && value === null) continue;
      const place = `${where}: ${kind} ${body.id}, ${name}`;
      const of = name in shown && !isCarried(kind, name, value) ? shown[name] : undefined;
      if (of) {
        for (const each of [value].flat()) if (each) this.#holdShown(of, each, place);
        // An activity has one event only; its task has events of its own.
        if (name in known && !(kind === "activity" && name === "task")) {
          same(part(name, value), part(name, known[name]), place);
        }
      } else if (name === "name" && kind !== "team" && !("name" in known)) {
        assert.equal(value, this.nameOf(kind, known), place);
      } else if (name === "consent") {
        for (const [way, given] of Object.entries(value)) same(given, known.consent[way], place);
      } else if (name in known) {
        same(value, known[name], place);
      }
    }
  }

  #holdShown(kind: Kind, value: Body, where: string): void {
    if (value.id === null) return;
    // Deleted users are shown in summaries.
    if (kind === "user" && !this.get(kind, value.id)) return;
    this.hold(kind, value, where);
  }

  /** Returns the name of a record as summaries show it. */
  nameOf(kind: Kind, body: Body): string | null {
    if (kind === "user") return `${body.first_name} ${body.last_name}`;
    if (kind === "contact") {
      const names = [readFixedValue(body, "first_name"), readFixedValue(body, "last_name")].filter((name) =>
        name !== null
      );
      return names.join(" ") || readFixedValue(body, "email");
    }
    return readFixedValue(body, "name");
  }
}

/**
 * True for the customer embedded in a lead, which is not a record yet, and for the lead summary of a case.
 */
function isCarried(kind: Kind, name: string, value: Body): boolean {
  if (kind === "lead") return (name === "account" || name === "contact") && value.id === null;
  return kind === "case" && name === "lead";
}

export function readFixedValue(body: Body, name: string): string | null {
  return body.fixed_fields.find((field: Body) => field.name === name)?.value ?? null;
}

/** Returns a body without the parts that belong to other records. */
export function takeOwnParts(kind: Kind, body: Body): string {
  const entries = Object.entries(body).filter(([name]) => name !== "updated_at" && !foreign.has(name)).map(
    ([name, value]) => [name, name in shown && !isCarried(kind, name, value) ? part(name, value) : value],
  );
  return JSON.stringify(Object.fromEntries(entries));
}

/** Reduces another record's part to its id. A case has an event for each change of its tasks. */
function part(name: string, value: Body): Body {
  if (name === "tasks") return value;
  if (Array.isArray(value)) return value.map(({ id }) => id);
  return value?.id ?? null;
}

function same(value: Body, known: Body, where: string): void {
  if (JSON.stringify(value) !== JSON.stringify(known)) assert.deepEqual(value, known, where);
}
