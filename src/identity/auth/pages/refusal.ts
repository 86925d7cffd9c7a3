/** Refusals that a person reads. */
export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** Offers to be mailed a link to a new password. */
  readonly forgot?: boolean;
  /** Whether to offer to sign in again. */
  readonly again?: boolean;
}

export class PageRefusal extends Error {
  constructor(
    readonly status: number,
    readonly said: RefusalText,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(said.title);
  }
}
