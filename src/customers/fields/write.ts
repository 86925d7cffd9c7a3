import type { CustomField } from "../../fields/custom_fields.ts";
import type { Context } from "../../db/context.ts";
import type { Statement } from "../../platform/database/database.ts";
import { changeDefinition } from "./definitions.ts";

type Link = CustomField["links"][number];

/** Removes from the fields in `among` all links for which `holds` returns false. */
export function unlink(
  ctx: Context,
  among: readonly CustomField[],
  holds: (link: Link) => boolean,
): Statement[] {
  return among.filter(({ links }) => !links.every(holds)).flatMap((field) =>
    changeDefinition(ctx, field, { links: JSON.stringify(field.links.filter(holds)) })
  );
}

/** Returns a test for `unlink`: whether a link refers to another field than the one with this id. */
export function makeElsewhereTest(id: string): (link: Link) => boolean {
  return (link) => link.field_id !== id;
}
