/** The port for push messages to devices. */

export interface Push {
  /** The token by which the push service knows the device. */
  readonly token: string;
  readonly title: string;
  readonly body: string;
  /** For the app on the device. */
  readonly data: Readonly<Record<string, string>>;
}

export interface Pusher {
  /**
   * Resolves to `sent` when the push service has taken the message over; to `unregistered` when it says that
   * there is no such device any more. Throws `PushFailed` when it did not take it.
   */
  send(push: Push): Promise<"sent" | "unregistered">;
}

/**
 * Whose fault it was: `refused` is the service's last word on this message, `deferred` is this message too but
 * may change, `server` is not about this message: it was not there, is busy, or did not let us in.
 */
export type Failure = "refused" | "deferred" | "server";

export class PushFailed extends Error {
  constructor(message: string, readonly failure: Failure, options?: ErrorOptions) {
    super(message, options);
  }
}
