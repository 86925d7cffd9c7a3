/** The port for push messages to devices. */

export interface Push {
  /** The push service's token of the device. */
  readonly token: string;
  readonly title: string;
  readonly body: string;
  /** For the app on the device. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Pusher {
  /**
   * Resolves to `sent` when the push service has accepted the message; to `unregistered` when the device no
   * longer exists. Throws `PushFailed` when it did not accept it.
   */
  send(push: Push): Promise<"sent" | "unregistered">;
}

/**
 * The kind of failure: `refused` rejects this message permanently, `deferred` rejects it for now, `server` is
 * not about this message: no connection, busy, or no login.
 */
export type PushFailure = "refused" | "deferred" | "server";

export class PushFailed extends Error {
  constructor(message: string, readonly failure: PushFailure, options?: ErrorOptions) {
    super(message, options);
  }
}
