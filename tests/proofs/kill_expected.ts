/** The expected result of the answered writes: the events of each record in order, and the notifications. */
import type { Body } from "../support/app.ts";

/** An event, with its body if an answer showed it. */
export interface ExpectedEvent {
  readonly name: string;
  readonly body: string | null;
}

export class Expected {
  /** The events of each record, by `<kind> <id>`. */
  readonly events = new Map<string, ExpectedEvent[]>();
  /** The reader's notifications by type, as record ids or texts. */
  readonly notifications = new Map<string, string[]>();

  readonly #texts = new WeakMap<object, string>();

  /** Keeps the bytes of an answer with the parsed value. */
  answered(text: string): Body {
    if (text === "") return null;
    const body = JSON.parse(text);
    this.#texts.set(body, text);
    return body;
  }

  /** Expects an event whose body is an answered record or a part of one. */
  event(name: string, record: Body): void {
    this.#add(name, record.id, this.#texts.get(record) ?? JSON.stringify(record));
  }

  /** Expects an event of another record than the answered one. */
  also(name: string, id: string): void {
    this.#add(name, id, null);
  }

  notice(type: string, about: string): void {
    const all = this.notifications.get(type);
    if (all) all.push(about);
    else this.notifications.set(type, [about]);
  }

  #add(name: string, id: string | number, body: string | null): void {
    const key = `${takeKind(name)} ${id}`;
    const all = this.events.get(key);
    if (all) all.push({ name, body });
    else this.events.set(key, [{ name, body }]);
  }
}

/** Returns the kind of record of an event: `timeline_event` for `timeline_event_created`. */
export function takeKind(event: string): string {
  return event.slice(0, event.lastIndexOf("_"));
}
