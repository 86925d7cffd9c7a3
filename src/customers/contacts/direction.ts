/**
 * Stepwise moves of a contact have one target at a time: two moves of the same cases to different accounts
 * would undo each other without end. A lease names the target; calls with the same target share it.
 */
import { clockSkew } from "../../core/clocks.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a step keeps the lease for the next one. */
export const holds = 10_000;

const nameOf = (contactId: string) => `move:${contactId}`;

/** Rejects the batch while steps move the contact's records to another account. */
export function towards({ clock }: Pick<Deps, "clock">, contactId: string, accountId: string): Statement[] {
  const now = clock.now();
  return [
    sql`insert into leases (name, holder, until) values (${nameOf(contactId)}, ${accountId}, ${now + holds})
      on conflict (name) do update set holder = excluded.holder, until = excluded.until
      where leases.holder = excluded.holder or leases.until <= ${now} or leases.until > ${
      now + holds + clockSkew
    }`,
    guardChanged("move"),
  ];
}

/** Ends the lease once the contact has moved. */
export function arrived(contactId: string): Statement {
  return sql`delete from leases where name = ${nameOf(contactId)}`;
}
