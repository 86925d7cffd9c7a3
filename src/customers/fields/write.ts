import type { CustomField } from "../../core/fields.ts";
import type { Context } from "../../db/context.ts";
import type { Statement } from "../../platform/database/database.ts";
import { changeDefinition } from "./definitions.ts";

type Link = CustomField["links"][number];

/** Removes links that no longer hold from the other fields. */
export function unlink(
  ctx: Context,
  among: readonly CustomField[],
  holds: (link: Link) => boolean,
): Statement[] {
  return among.filter(({ links }) => !links.every(holds)).flatMap((field) =>
    changeDefinition(ctx, field, { links: JSON.stringify(field.links.filter(holds)) })
  );
}

/** Whether a link refers to a field other than this one. */
export function elsewhere(id: string): (link: Link) => boolean {
  return (link) => link.field_id !== id;
}
