/** Notifications that a change causes. */
import type { Named, NotificationType } from "../core/notifications.ts";
import type { Statement } from "../platform/database/database.ts";
import type { Sql } from "./statements.ts";

/**
 * Recipients: users, the members of teams, the users with the right `agency` in a team (null: in the company),
 * or those of a select.
 */
export type Recipients =
  | { readonly users: readonly number[] }
  | { readonly teams: readonly number[] }
  | { readonly agencyOf: number | null }
  /** A select of ids of users. */
  | { readonly select: Sql };

interface Notifying<T extends NotificationType> {
  readonly type: T;
  /** Existing users of the company receive it, once each. */
  readonly to: readonly Recipients[];
  /** Ids of the records that it refers to. The batch reads their shown data after its changes. */
  readonly data: Named<T>;
  /** Further notifications to the same recipients. */
  readonly more?: readonly Named<T>[];
  /** A user who is not notified. */
  readonly except?: number | undefined;
  /** Text beyond the data; for a custom notification, the sender's. SQL can use the recipient `r.user_id`. */
  readonly message?: string | Sql;
  /** The change itself sends the mail, so that the notification is not mailed. */
  readonly isMailed?: boolean;
}

/** A notification before it is stored, in `Change.notifications`. */
export type NotificationDraft = { [T in NotificationType]: Notifying<T> }[NotificationType];

/** When a change is made, and whether push messages are sent. */
export interface Cause {
  readonly now: number;
  readonly at: string;
  readonly deps: { readonly pusher: object | null };
}

/**
 * Writes the notifications of a draft, one for each user who wants them on any channel. The `changes` of the statement
 * are their number. Recipients and channels are those at this moment.
 */
export type Notify = (cause: Cause, companyId: number, draft: NotificationDraft) => Statement;
