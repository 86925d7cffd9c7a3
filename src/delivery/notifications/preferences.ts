/** Preferences of a user: how each type of notification arrives. By default, in every way. */
import { ok } from "../../core/answer.ts";
import { notificationTypes } from "../../core/notifications.ts";
import { markShown } from "../../db/alters.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Statement } from "../../platform/database/database.ts";
import type { PreferencesBody } from "./schema.ts";

/** For each type, 1 for a wanted way and 0 for an unwanted one. */
type Choices = Readonly<Record<string, readonly [app: number, mail: number, push: number]>>;

export async function getPreferences(ctx: Context) {
  const [found] = await ctx.deps.db.read([selectChoices(ctx)]);
  return ok(presentPreferences(parseChoices(found!.rows[0]!.choices)));
}

/** Returns 200 with all preferences. Types and ways that the body omits keep their values. */
export async function updatePreferences(ctx: Context, { types }: PreferencesBody) {
  const [found] = await ctx.deps.db.read([selectChoices(ctx)]);
  const before = found!.rows[0]!.choices as string;
  checkMatch(ctx, () => presentPreferences(parseChoices(before)));
  const choices = parseChoices(before);
  const changed: Choices = Object.fromEntries(
    Object.entries(types).flatMap(([type, wish]) => {
      if (!wish) return [];
      const [app, mail, push] = choices[type] ?? everyWay;
      const chooseWay = (way: string, was: number) => wish[way] === undefined ? was : Number(wish[way]);
      return [[type, [chooseWay("app", app), chooseWay("mail", mail), chooseWay("push", push)]]];
    }),
  );
  const chosen = selectChoices(ctx);
  return await commit(ctx, {
    statements: [
      guardThat("preferences", sql`(${chosen}) is ${before}`),
      ...markShown([sql`insert into notification_preferences (user_id, type, app, mail, push)
        select ${ctx.caller.userId}, key, value ->> 0, value ->> 1, value ->> 2
        from json_each(${JSON.stringify(changed)}) where true
        on conflict (user_id, type) do update set app = excluded.app, mail = excluded.mail,
        push = excluded.push`]),
    ],
    answer: ok(presentPreferences({ ...choices, ...changed })),
  });
}

const everyWay = [1, 1, 1] as const;

/** One row: `choices`, JSON by type. */
function selectChoices({ caller }: Context): Statement {
  return sql`select json_group_object(type, json_array(app, mail, push)) as choices from
    (select type, app, mail, push from notification_preferences where user_id = ${caller.userId} order by type)`;
}

function parseChoices(choices: unknown): Choices {
  return JSON.parse(String(choices)) as Choices;
}

function presentPreferences(choices: Choices) {
  const types = notificationTypes.map((type) => {
    const [app, mail, push] = (choices[type] ?? everyWay).map((wanted) => wanted === 1);
    return [type, { app: app!, mail: mail!, push: push! }];
  });
  return { types: Object.fromEntries(types) };
}
