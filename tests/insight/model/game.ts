/** Points and badges, computed as simply as their rules are written. Imports nothing of `src`. */

/** Something that a user did. `at` and `recorded`: epoch seconds. */
export interface Deed {
  readonly kind: string;
  readonly at: number;
  readonly recorded: number;
  readonly zone: string;
  /** The id of the record. For cases and tasks, deeds on the same record matter. */
  readonly record: string;
  /** True for a milestone, a task in time, and a note that mentions another user. */
  readonly special: boolean;
  readonly channel: "email" | "phone" | "letter" | "meeting" | "chat" | null;
  /** Seconds to the acceptance of a lead. */
  readonly seconds: number;
}

export interface Evaluated {
  readonly points: number;
  readonly progress: Readonly<Record<string, number>>;
  readonly achieved: Readonly<Record<string, number>>;
  /** Each level above the first, with the moment at which it was reached. */
  readonly levels: readonly (readonly [number, number])[];
}

const needed: Readonly<Record<string, number>> = {
  nice_and_tidy: 25,
  clean_sheet: 25,
  the_communicator: 100,
  the_fast_and_furious: 10,
  the_consistent: 20,
  the_explorer: 6,
  the_seller: 10,
  the_helper: 25,
  the_notifier: 25,
  the_early_bird: 10,
  the_fisherman: 25,
  the_hard_worker: 20,
  the_workaholic: 1_000,
  the_off_duty_performer: 10,
  lead_commander: 50,
};

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns the local day and hour in the deed's zone. */
function formatLocal({ at, zone }: Deed): { day: string; hour: number } {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
    clocks.set(zone, clock);
  }
  const [day, time] = clock.format(at * 1000).split(" ");
  return { day: day!, hour: Number(time!.slice(0, 2)) };
}

const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());

function workdayAfter(day: string): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return isWeekend(next) ? workdayAfter(next) : next;
}

/** The longest row of days from Monday to Friday. */
function longestRow(days: ReadonlySet<string>): number {
  const next = new Map([...days].map((day) => [day, workdayAfter(day)]));
  let longest = 0;
  for (const first of days) {
    let length = 1;
    for (let day = next.get(first)!; days.has(day); day = next.get(day)!) length++;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Returns how many values at the end are `true` in a row. */
const countRow = (row: readonly boolean[]) => row.length - 1 - row.lastIndexOf(false);

/** Evaluates the deeds of one user, given in the order in which they were recorded. */
export function evaluate(deeds: readonly Deed[]): Evaluated {
  let [points, level] = [0, 1];
  const achieved: Record<string, number> = {};
  const progress: Record<string, number> = {};
  const levels: [number, number][] = [];
  const count: Record<string, number> = {};
  const add = (name: string) => count[name] = (count[name] ?? 0) + 1;
  const [closed, completed, explored] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const [early, workdays, onDay] = [new Set<string>(), new Set<string>(), new Map<string, number>()];
  let row = 0;
  const [tasks, leads]: [boolean[], boolean[]] = [[], []];
  for (const deed of deeds) {
    const { kind, record, special } = deed;
    if (["contact", "activity", "note", "filter_saved", "notification_sent"].includes(kind)) {
      explored.add(kind);
    }
    if (kind === "account" || kind === "contact") points += 5;
    if (kind === "contact_complete") add("nice_and_tidy");
    if (kind === "activity") {
      points += special ? 15 : 5;
      const { day, hour } = formatLocal(deed);
      add("the_workaholic");
      if (deed.channel !== null && deed.channel !== "meeting") add("the_communicator");
      if (hour < 8) early.add(day);
      onDay.set(day, (onDay.get(day) ?? 0) + 1);
      if (isWeekend(day)) add("the_off_duty_performer");
      else if (!workdays.has(day)) row = longestRow(workdays.add(day));
    }
    if (kind === "lead_accepted") {
      points += 15;
      leads.push(true);
      add("the_fisherman");
      if (deed.seconds <= 300) add("the_fast_and_furious");
    }
    if (kind === "lead_escalated") leads.push(false);
    if (kind === "case_closed" && !closed.has(record)) {
      closed.add(record);
      points += 50;
      add("the_seller");
    }
    if (kind === "task_completed" && !completed.has(record)) {
      completed.add(record);
      explored.add(kind);
      points += special ? 5 : 0;
      tasks.push(special);
    }
    if (kind === "note") points += 1;
    if (kind === "mention" && special) add("the_helper");
    if (kind === "notification_sent") add("the_notifier");
    const now: Record<string, number> = {
      ...count,
      clean_sheet: countRow(tasks),
      lead_commander: countRow(leads),
      the_early_bird: early.size,
      the_explorer: explored.size,
      the_hard_worker: Math.max(0, ...onDay.values()),
      ...(achieved.the_consistent === undefined && { the_consistent: row }),
    };
    for (const [badge, of] of Object.entries(needed)) {
      if (achieved[badge] !== undefined) continue;
      progress[badge] = now[badge] ?? 0;
      if (progress[badge] < of) continue;
      achieved[badge] = deed.recorded;
      points += 100;
    }
    while (50 * (level + 1) * level <= points) levels.push([++level, deed.recorded]);
  }
  return { points, progress, achieved, levels };
}
