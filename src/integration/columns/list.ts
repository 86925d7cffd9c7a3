import { requireRight } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import type { Context } from "../../db/context.ts";
import { importEntities } from "./entities.ts";
import { describeColumns } from "./catalogue.ts";

/** Lists the columns of a kind of record, with the custom fields that the caller sees. */
export function listColumns({ caller, fields }: Context, named: string) {
  if (!caller.rights.has("reports.export")) requireRight(caller, "imports.manage");
  const entity = importEntities.find((each) => each === named);
  if (!entity) throw notFound("Records of this kind are not imported.");
  return ok({
    data: describeColumns(entity, fields.seen).map(({ name, label, type, required }) => ({
      name,
      label,
      type,
      required,
    })),
  });
}
