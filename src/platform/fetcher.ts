/** The port for requests on behalf of users, such as webhooks. */

export interface Get {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for the target's answer; 5,000 by default. */
  readonly timeoutMs?: number;
  /** Bytes of the answer's body to read before the rest is dropped; 65,536 by default. */
  readonly maxBytes?: number;
}

export interface Post extends Get {
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body as UTF-8; shorter if the body broke off or was late. */
  readonly bodyExcerpt: string;
  /** The same as bytes. */
  readonly bytes: Uint8Array;
  /** Milliseconds, with fractions. */
  readonly durationMs: number;
}

export interface Fetcher {
  /** Sends a POST. Redirects are not followed. Throws FetchFailed when no answer came. */
  post(url: string, post: Post): Promise<Answered>;
  /** Sends a GET, by the same rules. */
  get(url: string, get: Get): Promise<Answered>;
}

/**
 * There is no answer: the address may not be called (`refused`), did not answer in time, or could not be
 * reached or understood. The message is one short line for the user.
 */
export class FetchFailed extends Error {
  constructor(
    readonly reason: "refused" | "timeout" | "unreachable",
    message: string,
    /** Milliseconds, with fractions. */
    readonly durationMs: number,
  ) {
    super(message);
  }
}

export const defaultTimeoutMs = 5000;
export const defaultMaxBytes = 64 * 1024;
