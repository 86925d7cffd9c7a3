/** The caller's preferences for the console. */
import { ok } from "../../core/answer.ts";
import { commit } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { type Sql, sql } from "../../db/statements.ts";
import { checkMatch } from "../../http/conditional.ts";
import { guardThat, type Result, type Statement } from "../../platform/database/database.ts";
import { defaultPreferences, type Preferences, type PreferencesChange } from "./schema.ts";

/** SQL: what the user has chosen, as JSON; null: nothing yet. Read by `parsePreferences`. */
export function selectChosen(userId: Sql): Sql {
  return sql`(select chosen from preferences where user_id = ${userId})`;
}

/** Members that an earlier version did not know have their defaults. */
export function parsePreferences(chosen: string | null): Preferences {
  return chosen === null ? defaultPreferences : { ...defaultPreferences, ...JSON.parse(chosen) };
}

export async function getPreferences(ctx: Context) {
  const [found] = await ctx.deps.db.read([readChosen(ctx.caller.userId)]);
  return ok(parsePreferences(parseChosen(found!)));
}

/** Returns the preferences after the change. */
export async function changePreferences(ctx: Context, body: PreferencesChange) {
  const { userId } = ctx.caller;
  const [found] = await ctx.deps.db.read([readChosen(userId)]);
  const chosen = parseChosen(found!);
  const before = parsePreferences(chosen);
  checkMatch(ctx, () => before);
  const after: Preferences = {
    theme: choosePreference("theme", body, before),
    shortcuts: choosePreference("shortcuts", body, before),
    columns: choosePreference("columns", body, before),
    start: choosePreference("start", body, before),
  };
  return await commit(ctx, {
    statements: [
      guardThat("stale", sql`${selectChosen(sql`${userId}`)} is ${chosen}`),
      sql`insert into preferences (user_id, chosen) values (${userId}, ${JSON.stringify(after)})
        on conflict (user_id) do update set chosen = excluded.chosen`,
    ],
    answer: ok(after),
  });
}

function choosePreference<K extends keyof Preferences>(
  name: K,
  body: PreferencesChange,
  before: Preferences,
) {
  const given = body[name];
  if (given === undefined) return before[name];
  return given === null ? defaultPreferences[name] : given as Preferences[K];
}

function readChosen(userId: number): Statement {
  return sql`select ${selectChosen(sql`${userId}`)} as chosen`;
}

function parseChosen({ rows: [row] }: Result): string | null {
  return row!.chosen as string | null;
}
