/** Changes of a user's e-mail address. They apply at once, and the old address gets a mail. */
import { type Caller, isAdmin } from "../../core/access.ts";
import { forbidden } from "../../core/errors.ts";
import { listRightsInForce, nameUserType } from "../../core/rights.ts";
import type { Context } from "../../db/context.ts";
import { remove, sql } from "../../db/statements.ts";
import type { Result, Statement } from "../../platform/database/database.ts";
import type { MailDraft } from "../../db/mails.ts";
import { makeAddressMailLimit, makeWrittenMailLimits } from "../attempts/limits.ts";
import { Attempts } from "../attempts/attempts.ts";
import { endUserTokens } from "../tokens/revoke.ts";
import { composeAddressChangedMail } from "../mails.ts";
import { makeEmailKey } from "../email_key.ts";
import type { UserFacts } from "./queries.ts";
import { passwordResets } from "./table.ts";

/** The statements and mails of an address change. */
export interface AddressChange {
  readonly statements: readonly Statement[];
  readonly mails: readonly MailDraft[];
}

const unchanged: AddressChange = { statements: [], mails: [] };

/** Reads, checks and plans an address change. */
export class AddressChanges {
  readonly #ctx: Context;
  readonly #userId: number;
  readonly #mails: Attempts;
  /** Mails to the addresses of others, which may be those of strangers. */
  readonly #written: Attempts;

  constructor(ctx: Context, userId: number) {
    this.#ctx = ctx;
    this.#userId = userId;
    this.#mails = new Attempts(ctx, [makeAddressMailLimit(userId)]);
    this.#written = new Attempts(ctx, ctx.caller.userId === userId ? [] : makeWrittenMailLimits(ctx));
  }

  /** The reads for `roleRights`, `sent` and `written` of `change`. */
  get reads(): [Statement, Statement, Statement] {
    const rights = sql`select distinct g.right_name from user_roles r
      join role_rights g on g.role_id = r.role_id where r.user_id = ${this.#userId}`;
    return [rights, this.#mails.read, this.#written.read];
  }

  /**
   * Returns the statements and mails of the change. Throws 403 when the caller may not change the address:
   * the owner of the new address can reset the password and then has all rights of the user. Throws 429 when the
   * caller has written too many mails.
   */
  change(
    before: UserFacts,
    email: string | undefined,
    { roleRights, sent, written }: Readonly<Record<"roleRights" | "sent" | "written", Result>>,
  ): AddressChange {
    if (email === undefined || makeEmailKey(email) === makeEmailKey(before.email)) return unchanged;
    const { caller } = this.#ctx;
    const own = caller.userId === this.#userId;
    if (!own) checkCovers(caller, before, roleRights.rows.map(({ right_name }) => right_name as string));
    this.#written.check(written);
    const mail = composeAddressChangedMail(before.email, email, own);
    return {
      statements: [
        remove(passwordResets, { user_id: this.#userId }),
        // The new address may belong to another person.
        ...(own ? [] : endUserTokens(this.#userId)),
        this.#mails.count,
        ...(own ? [] : [this.#written.guard, this.#written.count]),
      ],
      mails: this.#mails.spent(sent) ? [] : [{ ...mail, lane: own ? "prompt" : "correspondence" }],
    };
  }
}

function checkCovers(caller: Caller, user: UserFacts, roleRights: readonly string[]): void {
  if (isAdmin(caller)) return;
  const team = user.teams.find(({ id }) => !caller.teamIds.includes(id!));
  const right = listRightsInForce(nameUserType(user.user_type), roleRights)
    .find((right) => !caller.rights.has(right));
  const lacking = team
    ? `is in the team ${team.id}, which you are not in`
    : right && `has the right ${right}, which you lack`;
  if (lacking) {
    throw forbidden(`A user of type admin is required to change this e-mail address: the user ${lacking}.`);
  }
}
