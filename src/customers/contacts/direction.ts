/**
 * A contact that moves in steps has one target account at a time. Otherwise two calls could move the same
 * cases back and forth forever. A lease names the target; calls with the same target share the lease.
 */
import { unlessLeased } from "../../db/leases.ts";
import { sql } from "../../db/statements.ts";
import type { Deps } from "../../deps.ts";
import { guardChanged, type Statement } from "../../platform/database/database.ts";

/** Milliseconds for which a step holds the lease, until the next step renews it. */
export const holds = 10_000;

const nameMove = (contactId: string) => `move:${contactId}`;

/** Takes or renews the lease. Rejects the batch while steps move the contact's records to another account. */
export function takeDirection(
  { clock }: Pick<Deps, "clock">,
  contactId: string,
  accountId: string,
): Statement[] {
  const now = clock.now();
  return [
    sql`insert into leases (name, holder, until) values (${nameMove(contactId)}, ${accountId}, ${now + holds})
      ${unlessLeased(now, holds)}`,
    guardChanged("move"),
  ];
}

/** Ends the lease once the contact has moved. */
export function endMove(contactId: string): Statement {
  return sql`delete from leases where name = ${nameMove(contactId)}`;
}
