/** The port for requests that users ask for, such as webhooks. */

export interface Get {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds within which the target must answer; 5,000 when absent. */
  readonly timeoutMs?: number;
  /** Bytes of the answer's body that are read before the rest is dropped; 65,536 when absent. */
  readonly maxBytes?: number;
}

export interface Post extends Get {
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The beginning of the body as UTF-8; shorter where the body broke off or was late. */
  readonly bodyExcerpt: string;
  readonly durationMs: number;
}

export interface Fetcher {
  /** Sends a POST. Redirects are not followed. Throws FetchFailed when no answer came. */
  post(url: string, post: Post): Promise<Answered>;
  /** Sends a GET, by the same rules. */
  get(url: string, get: Get): Promise<Answered>;
}

/**
 * No answer came: the address may not be called (`refused`), did not answer in time, or could not be
 * reached or understood. The message is one short line that may be shown to the user.
 */
export class FetchFailed extends Error {
  constructor(
    readonly reason: "refused" | "timeout" | "unreachable",
    message: string,
    readonly durationMs: number,
  ) {
    super(message);
  }
}

export const DEFAULT_TIMEOUT_MS = 5000;
export const DEFAULT_MAX_BYTES = 64 * 1024;
