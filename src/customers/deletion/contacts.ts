/** Deletes a contact with its dependents. */
import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { guardVersions } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { requireAccount, selectAccountById } from "../accounts/queries.ts";
import { presentContact } from "../contacts/present.ts";
import { requireContact, selectContactById } from "../contacts/queries.ts";
import { changeContactName } from "../contacts/display_name.ts";
import { guardNotMerging } from "../not_merging.ts";
import { draftContactEvent, removeContacts } from "../contacts/write.ts";
import { takeFirst } from "../../staged/first_step.ts";
import { inOrder } from "../../staged/kind.ts";
import type { Dependents } from "./dependents.ts";
import { selectContact } from "./selection.ts";

/**
 * Returns 204. Dependents that are too many for one commit are deleted first, in steps; the last step deletes
 * the contact.
 */
export async function deleteContact(
  ctx: Context,
  accountId: string,
  id: string,
  dependents: Dependents,
) {
  const selection = selectContact(ctx.caller.companyId, id);
  const plan = inOrder(dependents.steps(selection, takeFirst));
  for (;;) {
    const [found, from, ...results] = await ctx.deps.db.read([
      selectContactById(ctx.caller.companyId, id),
      selectAccountById(ctx.caller.companyId, accountId),
      ...plan.reads,
    ]);
    const contact = requireContact(ctx, found!, accountId);
    const account = requireAccount(ctx, from!);
    checkMatch(ctx, () => presentContact(contact, ctx.fields.seen));
    const { statements, events, more } = plan.apply(ctx, results);
    if (more) {
      await commit({ ...ctx, idempotency: null }, {
        statements: [guardNotMerging(id), ...statements],
        events,
        answer: noContent,
      });
      continue;
    }
    const shown = changeContactName(ctx, account, null);
    return await commit(ctx, {
      statements: [
        guardVersions("accounts", [account]),
        ...statements,
        ...dependents.guards(selection),
        ...removeContacts(ctx, [contact]),
        ...shown.statements,
      ],
      events: [...events, draftContactEvent("contact_deleted", contact, ctx.fields), ...shown.events],
      answer: noContent,
    });
  }
}
