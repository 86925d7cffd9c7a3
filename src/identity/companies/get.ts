import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { presentCompany, presentSettings } from "./present.ts";
import { readOwnCompany } from "./queries.ts";

export async function getCompany(ctx: Context, id: number) {
  return ok(presentCompany(await readOwnCompany(ctx, id), ctx));
}

export async function getSettings(ctx: Context, id: number) {
  return ok(presentSettings(await readOwnCompany(ctx, id)));
}
