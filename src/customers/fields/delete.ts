import { noContent } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { checkMatch } from "../../http/conditional.ts";
import { changeDefinition, parseOwnerType, presentDefinition, readToWrite } from "./definitions.ts";
import { beginValueDeletion } from "./deleted_fields.ts";
import { namesField, type StopFilters } from "./stop_filters.ts";
import { makeElsewhereTest, unlink } from "./write.ts";

/** Returns 204. Deletes the field and links to it at once; a job removes its values. */
export async function deleteField(ctx: Context, ownerType: string, id: string, stopFilters: StopFilters) {
  const owner = parseOwnerType(ownerType);
  const { field, all } = await readToWrite(ctx, owner, id);
  checkMatch(ctx, () => presentDefinition(field));
  return await commit(ctx, {
    statements: [
      ...changeDefinition(ctx, field, { deleted_at: ctx.at }),
      ...stopFilters(
        ctx,
        ctx.caller.companyId,
        namesField(field),
        `the field ${field.label} was deleted`,
        `${owner}.custom.${field.name}`,
      ),
      beginValueDeletion(ctx, field, null),
      ...unlink(ctx, all[owner].custom.filter((other) => other.id !== id), makeElsewhereTest(id)),
    ],
    answer: noContent,
  });
}
