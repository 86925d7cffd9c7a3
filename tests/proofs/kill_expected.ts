/** What the answered writes must have left: the events of each record in order, and the notifications. */
import type { Body } from "../support/app.ts";

/** An event, with its body where an answer showed it. */
export interface ExpectedEvent {
  readonly name: string;
  readonly body: string | null;
}

export class Expected {
  /** By `<kind> <id>`. */
  readonly events = new Map<string, ExpectedEvent[]>();
  /** The reader's notifications, by type: the records or words that they are about. */
  readonly notices = new Map<string, string[]>();

  readonly #texts = new WeakMap<object, string>();

  /** Keeps the bytes of an answer beside what they say. */
  answered(text: string): Body {
    if (text === "") return null;
    const body = JSON.parse(text);
    this.#texts.set(body, text);
    return body;
  }

  /** An event whose body is a record that was answered, or a part of one. */
  event(name: string, record: Body): void {
    this.#add(name, record.id, this.#texts.get(record) ?? JSON.stringify(record));
  }

  /** An event of another record than the one that was answered. */
  also(name: string, id: string): void {
    this.#add(name, id, null);
  }

  notice(type: string, about: string): void {
    const all = this.notices.get(type);
    if (all) all.push(about);
    else this.notices.set(type, [about]);
  }

  #add(name: string, id: string | number, body: string | null): void {
    const key = `${kindOf(name)} ${id}`;
    const all = this.events.get(key);
    if (all) all.push({ name, body });
    else this.events.set(key, [{ name, body }]);
  }
}

/** The kind of record that an event is about: `timeline_event` of `timeline_event_created`. */
export function kindOf(event: string): string {
  return event.slice(0, event.lastIndexOf("_"));
}
