import { ok } from "../../core/answer.ts";
import type { Context } from "../../db/context.ts";
import { type Definition, definitionOf, ownerOf, presentDefinition, readFields } from "./definitions.ts";

export async function listFields(ctx: Context, ownerType: string) {
  const owner = ownerOf(ownerType);
  const fields = await readFields(ctx);
  return ok(
    { data: fields[owner].custom.map((field) => presentDefinition(field as Definition)) },
  );
}

export async function getField(ctx: Context, ownerType: string, id: string) {
  const owner = ownerOf(ownerType);
  return ok(presentDefinition(definitionOf(await readFields(ctx), owner, id)));
}
