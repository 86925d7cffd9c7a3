/** Errors that pages show to people. */
import type { MessageName } from "./words.tsx";

export interface RefusalText {
  readonly title: string;
  readonly text: string;
  /** Offers a link to request a new password. */
  readonly forgot?: boolean;
  /** Offers a link to sign in. */
  readonly again?: boolean;
  /** Offers the way back to the page to sign in, as the lesser thing to do. */
  readonly back?: boolean;
}

export class PageRefusal extends Error {
  constructor(
    readonly status: number,
    /** A message of the pages by its name, or its text. */
    readonly said: RefusalText | MessageName,
    readonly headers: Readonly<Record<string, string>> = {},
    /** The page that signing in leads to. */
    readonly next = "",
  ) {
    super(typeof said === "string" ? said : said.title);
  }
}
