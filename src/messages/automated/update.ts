/** Changes an automated communication. Waiting messages are sent with the new text, at their original time. */
import { changeOwner, selectOwnerFacts } from "../../identity/owners.ts";
import { ok } from "../../core/answer.ts";
import { type FieldError, invalid } from "../../core/errors.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { updateVersioned } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { makeReader } from "../../library/access.ts";
import { guardChanged } from "../../platform/database/database.ts";
import {
  checkSize,
  communicationsAfter,
  guardTemplates,
  selectNamedRecords,
  writeCommunications,
} from "./communications.ts";
import { presentAutomated } from "./present.ts";
import { requireAutomated, selectAutomated } from "./queries.ts";
import type { AutomatedChange } from "./schema.ts";
import { automatedCommunications } from "./table.ts";

/** Returns the changed automated communication. An absent member keeps its value. */
export async function updateAutomated(ctx: Context, id: string, body: AutomatedChange) {
  const { companyId } = ctx.caller;
  const given = body.communications ?? [];
  const [found, facts, ...named] = await ctx.deps.db.read([
    selectAutomated(companyId, id),
    selectOwnerFacts(companyId, body),
    ...selectNamedRecords(makeReader(ctx), given),
  ]);
  const before = requireAutomated(ctx.caller, found!);
  const { owner, guards } = changeOwner(ctx.caller, before, body, facts!.rows[0]!);
  checkMatch(ctx, () => presentAutomated(before));
  const errors: FieldError[] = [];
  const communications = body.communications
    ? await communicationsAfter(ctx.caller, before.communications, given, named, ctx.now, errors)
    : before.communications;
  if (errors.length > 0) throw invalid(...errors);

  const set = {
    ...owner,
    name: body.name ?? before.name,
    description: body.description === undefined ? before.description : body.description,
    icon: body.icon === undefined ? before.icon : body.icon,
    updated_at: ctx.at,
  };
  const after = { ...before, ...set, communications, version: before.version + 1 };
  checkSize(after, before);
  return await commit(ctx, {
    statements: [
      ...guards,
      updateVersioned(automatedCommunications, set, before),
      guardChanged("automated_communication"),
      ...guardTemplates(companyId, given),
      ...(body.communications ? markShown(writeCommunications(after)) : []),
    ],
    answer: ok(presentAutomated(after)),
  });
}
