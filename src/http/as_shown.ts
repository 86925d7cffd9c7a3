/** Bodies that also take members in the form of the answer. */
import { z } from "zod";

/** By member: the name of the answer that stands for it, and the schema of an id in it. */
type Names = Readonly<Record<string, readonly [shown: string, id: z.ZodType]>>;

/**
 * Lets an object of the answer stand for the member of the body that names it: `{ user_id: ["user", integerId] }` takes
 * the `id` of `user`, and a list of objects stands for a list of ids. The body's own name wins. Null, which an answer
 * also shows for what its reader does not see, and an object without an id say nothing.
 */
export function orShownAs<S extends z.ZodRawShape>(body: z.ZodObject<S>, names: Names) {
  const members: Readonly<Record<string, z.ZodType>> = body.shape as never;
  const shown = Object.entries(names).map(([member, [name, id]]) => [
    name,
    (isList(member) ? z.array(z.object({ id })) : z.object({ id: id.nullish() })).nullish().meta({
      description: `As the answer shows it, in place of \`${member}\`.`,
    }),
  ]);
  return body.extend(Object.fromEntries(shown)).transform((given, ctx) => {
    const taken: Record<string, unknown> = { ...given };
    for (const [member, [name]] of Object.entries(names)) {
      const { [name]: value, [member]: own } = taken;
      delete taken[name];
      if (own !== undefined || !value) continue;
      const parsed = members[member]!.safeParse(extractIds(value));
      if (parsed.success) taken[member] = parsed.data;
      // A list whose records are all gone is not one that a body may give.
      else if (!Array.isArray(value) || value.length > 0) {
        ctx.issues.push(
          ...parsed.error.issues.map((issue) => ({ ...issue, path: [name], input: value })) as never[],
        );
      }
    }
    return taken as z.output<z.ZodObject<S>>;
  });
}

const isList = (member: string) => member.endsWith("_ids");

function extractIds(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(({ id }) => id);
  return (shown as { readonly id?: unknown }).id ?? undefined;
}
