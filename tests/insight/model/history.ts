/**
 * The effects of a history of calls, as the specification of the indicators counts them. Times are epoch
 * seconds.
 */

/** The properties that figures can be grouped and filtered by. */
export interface Properties {
  readonly user: number | null;
  readonly team: number | null;
  readonly leadType?: string | null;
  readonly leadSource?: string | null;
  readonly fromLead?: boolean;
  readonly path?: string | null;
  readonly products?: readonly string[];
  readonly types?: readonly string[];
  readonly milestones?: readonly string[];
  /** The teams of a user. */
  readonly teams?: readonly number[];
  /** Of a lead: the team that looks after it. */
  readonly agency?: number | null;
}

/** Something that happened, with its properties of that moment. */
export interface Happening {
  readonly indicator: string;
  readonly at: number;
  readonly value: number;
  readonly of: Properties;
  /** Of an assignment: when it was accepted. */
  accepted?: number;
}

/** The state of a record just before a moment: its properties, and what it adds to levels. */
export interface Standing {
  readonly of: Properties;
  readonly levels: Readonly<Record<string, number>>;
}

/**
 * The life of a record. Each change applies from a moment on; where two changes overlap, the one recorded
 * last counts.
 */
export class Life<State extends object> {
  readonly #changes: { from: number; set: Partial<State> }[] = [];

  constructor(
    readonly born: number,
    first: State,
    readonly standing: (state: State, end: number) => Standing | null,
  ) {
    this.#changes.push({ from: born, set: first });
  }

  change(from: number, set: Partial<State>): void {
    this.#changes.push({ from, set });
  }

  /** The properties recorded last. */
  get now(): State {
    return this.#changes.reduce((all, { set }) => ({ ...all, ...set }), {} as State);
  }

  at(end: number): Standing | null {
    if (this.born >= end) return null;
    const state = this.#changes.filter(({ from }) => from < end)
      .reduce((all, { set }) => ({ ...all, ...set }), {} as State);
    return this.standing(state, end);
  }
}

export class History {
  readonly happened: Happening[] = [];
  readonly lives: { at(end: number): Standing | null }[] = [];

  count(indicator: string, at: number, of: Properties, value = 1): Happening {
    const happening: Happening = { indicator, at, value, of };
    this.happened.push(happening);
    return happening;
  }

  live<State extends object>(life: Life<State>): Life<State> {
    this.lives.push(life);
    return life;
  }
}
