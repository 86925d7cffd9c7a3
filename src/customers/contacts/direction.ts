/**
 * Moves in steps go one way at a time: two that take the same cases to different accounts would take them back and
 * forth without end. A lease names the way; calls that go the same way share it.
 */
import { clockSkew } from "../../core/clocks.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a step holds the way for the next one. */
export const holds = 10_000;

const nameOf = (contactId: string) => `move:${contactId}`;

/** Refuses the batch while steps take the contact's records to another account. */
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

/** The contact has moved: the way is free. */
export function arrived(contactId: string): Statement {
  return sql`delete from leases where name = ${nameOf(contactId)}`;
}
