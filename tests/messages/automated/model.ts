/** An independent model of automated communications: imports nothing of the service. */

export interface Message {
  readonly id: string;
  name: string;
  subject: string;
  days: number;
  offset: number;
}

export interface Definition {
  readonly id: string;
  messages: Message[];
}

export interface Contact {
  email: string | null;
  consent: boolean | null;
}

export interface Send {
  readonly definition: string;
  readonly message: string;
  readonly type: string;
  readonly due: number;
  readonly left: string;
  readonly name: string;
  subject: string;
  status: string;
  reason: string | null;
  /** When it was sent or skipped. */
  ended: number | null;
  /** The address that it went to. */
  to: string | null;
}

export interface Case {
  readonly contact: Contact;
  status: string;
  zone: string | null;
  readonly sends: Send[];
}

/** Types in the order of their effects: milestones before supportive activities, the highest first. */
const ranks = ["Again", "Lost", "Sold", "Offer", "Call", "Talk", "Drive"];
const sets: Readonly<Record<string, string>> = { Again: "open", Lost: "declined", Sold: "closed" };
const day = 86_400_000;
const quarter = 900_000;

export class Model {
  readonly definitions = new Map<string, Definition>();
  readonly cases = new Map<string, Case>();
  /** Contacts whose case is deleted. */
  readonly others: Contact[] = [];
  /** Whether the company sends only to contacts that have consented. */
  asks = false;

  /** `starts`: ids of definitions by type. */
  constructor(readonly zone: string, readonly starts: Readonly<Record<string, readonly string[]>>) {}

  /** Returns whether the case accepts the activity. */
  act(of: Case, names: readonly string[], created: number, now: number): boolean {
    const types = names.toSorted((one, other) => ranks.indexOf(one) - ranks.indexOf(other));
    const setting = types.find((type) => sets[type] !== undefined);
    if (of.status !== "open" && (setting === undefined || sets[setting] !== "open")) return false;
    if (setting !== undefined) of.status = sets[setting]!;
    const begun = new Set<string>();
    const running = of.sends.filter(({ status }) => status === "pending").map(({ type, definition }) =>
      `${type} ${definition}`
    );
    for (const type of types) {
      for (const id of this.starts[type] ?? []) {
        const definition = this.definitions.get(id);
        if (!definition || begun.has(id) || running.includes(`${type} ${id}`)) continue;
        begun.add(id);
        for (const message of definition.messages) {
          const due = findMoment(of.zone ?? this.zone, created, message.days, message.offset);
          const isPast = now - due > day;
          of.sends.push({
            definition: id,
            message: message.id,
            type,
            due,
            left: of.status,
            name: message.name,
            subject: message.subject,
            status: isPast ? "skipped" : "pending",
            reason: isPast ? "past" : null,
            ended: null,
            to: null,
          });
        }
      }
    }
    return true;
  }

  /** Runs the job. */
  run(now: number): void {
    for (const of of this.cases.values()) {
      for (const send of of.sends) {
        if (send.status !== "pending" || send.due > now) continue;
        send.reason = this.against(of, send);
        send.status = send.reason === null ? "sent" : "skipped";
        send.ended = now;
        if (send.reason !== null) continue;
        send.subject = this.message(send)!.subject;
        send.to = of.contact.email;
      }
    }
  }

  private against(of: Case, send: Send): string | null {
    const { email, consent } = of.contact;
    if (of.status !== send.left) return "case_moved";
    if (email === null) return "no_address";
    const refused = [...[...this.cases.values()].map(({ contact }) => contact), ...this.others].some((
      other,
    ) => other.consent === false && other.email?.toLowerCase() === email.toLowerCase());
    if (refused || (this.asks && consent !== true)) return "no_consent";
    return this.message(send) ? null : "deleted";
  }

  private message(send: Send): Message | undefined {
    return this.definitions.get(send.definition)?.messages.find(({ id }) => id === send.message);
  }

  /** Moments at which something is due after `from` and until `to`. */
  dueBetween(from: number, to: number): number[] {
    const all = [...this.cases.values()].flatMap(({ sends }) => sends)
      .filter(({ status, due }) => status === "pending" && due > from && due <= to).map(({ due }) => due);
    return [...new Set(all)].sort((one, other) => one - other);
  }
}

/** Sorts sends in the order of the API's lists. */
export function inOrder(sends: readonly Send[]): Send[] {
  return sends.toSorted((one, other) => one.due - other.due);
}

/**
 * Returns the first moment at which clocks of the zone show the time or a later one. Checks every quarter of
 * an hour, because clocks change only between quarters.
 */
export function findMoment(zone: string, from: number, days: number, offset: number): number {
  const midnight = Date.parse(`${formatLocal(zone, from).slice(0, 10)}T00:00:00Z`);
  const wanted = midnight + days * day + offset * 1000;
  for (let at = Math.floor((wanted - 64 * quarter) / quarter) * quarter;; at += quarter) {
    const left = wanted - Date.parse(`${formatLocal(zone, at).replace(" ", "T")}Z`);
    if (left < quarter) return at + Math.max(left, 0);
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function formatLocal(zone: string, at: number): string {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "medium",
    });
    clocks.set(zone, clock);
  }
  return clock.format(at);
}
