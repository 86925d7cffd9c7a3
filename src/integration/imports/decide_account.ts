/** Decides what becomes of a row of accounts: the same as of a single call, for a commit of several rows. */
import * as newAccounts from "../../customers/accounts/create.ts";
import { presentAccount } from "../../customers/accounts/present.ts";
import type { AccountBody } from "../../customers/accounts/record.ts";
import * as changedAccounts from "../../customers/accounts/update.ts";
import { holding } from "./customers.ts";
import {
  attempt,
  checkFields,
  type Deciding,
  failed,
  nobody,
  type Outcome,
  pickFields,
  readCreatedAt,
  recordCreation,
  recordUpdate,
} from "./decisions.ts";
import { addFault, addTakenId, type Draft } from "./drafts.ts";

/** Decides on a row of accounts. */
export function decideAccount(deciding: Deciding, draft: Draft): Outcome {
  const { author, row, customers, placing } = deciding;
  const { external_id } = draft.self;
  const holder = external_id ? customers.accountWithExternalId(external_id) : null;
  const isSeen = holder !== null && customers.isSeen(holder);
  const matches = row.match === "external_id" && isSeen;
  if (matches && row.on_match === "skip" && draft.faults.length === 0) {
    return { ...failed, action: "skip", record: () => presentAccount(holder, author.fields.seen) };
  }
  if (matches && row.on_match !== "update") {
    if (row.on_match === "fail") {
      addFault(draft, "self", "external_id", "unique", "A record has this external id.");
    }
    checkFields(deciding, draft, "self", draft.self);
    return failed;
  }
  const body = pickFields(draft.self);
  if (matches && row.on_match === "update") {
    const decided = attempt(
      draft,
      "self",
      "name",
      () => changedAccounts.decideAccountUpdate(author, holder, body, null, nobody),
    );
    if (!decided || draft.faults.length > 0) return failed;
    const outcome = recordUpdate(
      "accounts",
      draft,
      holder,
      decided.account,
      decided.change,
      () => presentAccount(decided.account, author.fields.seen),
    );
    if (outcome.statements.length === 0) return outcome;
    customers.accounts.set(holder.id, decided.account);
    return { ...outcome, accounts: [{ account: decided.account, isMade: false }] };
  }
  const given: AccountBody = {
    ...body,
    b2c: draft.properties.b2c === true,
    external_id,
    created_at: readCreatedAt(draft),
    team_id: row.team_id,
    user_id: row.user_id ?? undefined,
  };
  const taken = holder ? holding("taken") : null;
  if (taken) addTakenId(draft, "self");
  const decided = attempt(
    draft,
    "self",
    "name",
    () => newAccounts.decideNewAccount(author, given, taken, placing),
  );
  if (!decided || draft.faults.length > 0) return failed;
  customers.accounts.set(decided.account.id, decided.account);
  return {
    action: "create",
    record: () => presentAccount(decided.account, author.fields.seen),
    statements: decided.change.statements,
    events: decided.change.events ?? [],
    changes: [recordCreation("accounts", draft, decided.account)],
    accounts: [{ account: decided.account, isMade: true }],
  };
}
