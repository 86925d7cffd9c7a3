/** Creates a file from a body in base64. */
import { requireRight } from "../../core/access.ts";
import { created } from "../../core/answer.ts";
import { type FieldError, fieldError, invalid } from "../../core/errors.ts";
import { commit, writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceObjects, takeObjects, withStored } from "../../db/objects.ts";
import { sql } from "../../db/statements.ts";
import { decodeBase64 } from "../../platform/crypto.ts";
import type { Permission } from "../access.ts";
import { type Content, makeContent, mostBytes } from "../content.ts";
import {
  checkPermissions,
  guardPermissions,
  selectMissingPermissions,
  sortPermissions,
} from "../permissions.ts";
import { fitsQuota, guardQuota, makeQuotaFault } from "../usage.ts";
import { insertFile, makeFile } from "../write.ts";
import { presentWithToken } from "./present.ts";
import type { FileBody } from "./schema.ts";

/** Returns 201 with the file, which has no place in the file manager. */
export async function createFile(ctx: Context, body: FileBody) {
  if (body.public) requireRight(ctx.caller, "files.publish");
  const { object, columns } = decodeContent(body.data);
  const given = body.permissions ?? [];
  await announce(ctx, object, given);
  const { companyId, userId } = ctx.caller;
  const file = makeFile(ctx, {
    company_id: companyId,
    user_id: userId,
    name: body.name,
    content: columns,
    public: body.public ? 1 : 0,
    permissions: sortPermissions(given),
  });
  const change = {
    statements: [
      ...takeObjects(ctx, [object]),
      ...guardPermissions(companyId, given),
      ...insertFile(file),
      ...guardQuota(ctx.deps, companyId),
    ],
    answer: created(presentWithToken(ctx, file)),
  };
  return await withStored(ctx, [object], () => commit(ctx, change));
}

/** Decodes the content; throws 422 at `data` for other text than base64, and for too many bytes. */
export function decodeContent(data: string): Content {
  const bytes = decodeBase64(data);
  if (bytes === null) {
    throw invalid(fieldError("data", "format", "Must be base64 of the standard alphabet, with its padding."));
  }
  if (bytes.length > mostBytes) throw invalid(fieldError("data", "max", `At most ${mostBytes} bytes.`));
  return makeContent(bytes);
}

/** Announces the object if there is room and its permissions exist; throws 422 otherwise. */
async function announce(
  ctx: Context,
  object: Content["object"],
  permissions: readonly Permission[],
): Promise<void> {
  const { deps, caller: { companyId } } = ctx;
  const missing = selectMissingPermissions(companyId, permissions);
  const fits = fitsQuota(deps, companyId, object.bytes.length);
  const [found] = await writeBefore(ctx, [
    sql`select ${missing} as missing, ${fits} as fits`,
    announceObjects(ctx, companyId, [object], sql`select 1 where ${missing} = '[]' and ${fits}`),
  ]);
  const row = found!.rows[0]!;
  const errors: FieldError[] = [];
  checkPermissions(row, errors);
  if (row.fits !== 1) errors.push(makeQuotaFault(deps, "data"));
  if (errors.length > 0) throw invalid(...errors);
}
