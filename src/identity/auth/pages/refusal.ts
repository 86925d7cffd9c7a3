/** Errors that pages show to people. */
export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** Offers a link to request a new password. */
  readonly forgot?: boolean;
  /** Offers a link to sign in. */
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
