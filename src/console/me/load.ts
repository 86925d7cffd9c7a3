/** Reads the settings of the person. */
import { notificationTypes } from "../../core/notifications.ts";
import { extractTypedText } from "../typed_text.ts";
import type { Visit } from "../visit.ts";

export const ways = ["app", "mail", "push"] as const;

interface Named {
  readonly id: number;
  readonly name: string;
}

export interface OwnUser {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_number: string | null;
  readonly email: string;
  readonly locale: { readonly code: string };
  readonly timezone: { readonly name: string };
  readonly signature: { readonly email: string | null };
  readonly team: Named | null;
  readonly teams: readonly Named[];
}

export interface Settings {
  readonly sessions: readonly {
    readonly id: string;
    readonly created_at: string;
    readonly last_used_at: string;
    readonly user_agent: string | null;
    readonly address: string | null;
    readonly current: boolean;
  }[];
  readonly user: OwnUser;
  readonly version: string;
  /** The ways by type of notification. */
  readonly notifications: Readonly<Record<string, readonly string[]>>;
}

export const makeOwnUserParams = ({ person }: Visit) => ({
  company_id: String(person.known.caller!.companyId),
  user_id: String(person.userId),
});

type Preferences = { readonly types: Readonly<Record<string, Readonly<Record<string, boolean>>>> };

export async function readSettings(visit: Visit): Promise<Settings> {
  const { call, record: read } = visit;
  const [{ record: user, version }, { types }, sessions] = await Promise.all([
    read<OwnUser>("getUser", { params: makeOwnUserParams(visit) }),
    call<Preferences>("getNotificationPreferences"),
    call<{ data: Settings["sessions"] }>("listSessions"),
  ]);
  const notifications = Object.fromEntries(
    notificationTypes.map((type) => [type, ways.filter((way) => types[type]?.[way])]),
  );
  return { user, version, notifications, sessions: sessions.data };
}

/** Returns the signature as text. */
export function readSignature({ signature }: OwnUser): string {
  return extractTypedText(signature.email ?? "");
}
