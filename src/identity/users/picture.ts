/** The picture of a user. */
import { isAdmin } from "../../core/access.ts";
import { ok } from "../../core/answer.ts";
import { notFound } from "../../core/errors.ts";
import { commit, writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceObjects, dropObjects, takeObjects, withStored } from "../../db/objects.ts";
import { updateVersioned } from "../../db/statements.ts";
import type { Upload } from "../../http/multipart.ts";
import { guardChanged } from "../../platform/database/database.ts";
import { composePictureUrl } from "../pictures/address.ts";
import { checkPictures, describePicturePart } from "../pictures/check.ts";
import { draftUserEvent, guardShown } from "./write.ts";
import { presentUser } from "./present.ts";
import { readUser, selectUserById } from "./queries.ts";
import { users } from "./record.ts";
import { checkMayUpdate } from "./permissions.ts";

export const pictureParts = { profile_picture: describePicturePart("Any size.") };

/** Returns 200 with the address of the picture, which replaces the old one. */
export async function setPicture(
  ctx: Context,
  id: number,
  files: Readonly<Record<"profile_picture", Upload>>,
) {
  const { companyId } = ctx.caller;
  const { profile_picture: picture } = await checkPictures(files, {});
  const one = selectUserById(companyId, id);
  const announcement = announceObjects(ctx, companyId, [picture], one);
  // The permission to change another user depends on the user's teams, so reads these before it writes.
  const sure = isAdmin(ctx.caller) || id === ctx.caller.userId;
  const [found] = sure ? await writeBefore(ctx, [one, announcement]) : await ctx.deps.db.read([one]);
  const row = found!.rows[0];
  if (!row) throw notFound();
  const before = readUser(row);
  checkMayUpdate(ctx.caller, before);
  if (!sure) await writeBefore(ctx, [announcement]);
  const changes = { profile_picture: picture.key, updated_at: ctx.at };
  const change = {
    statements: [
      ...takeObjects(ctx, [picture]),
      ...guardShown(before),
      updateVersioned(users, changes, { ...before, id }),
      guardChanged("stale"),
      dropObjects(ctx.now, [before.profile_picture]),
    ],
    events: [draftUserEvent("user_updated", before, presentUser({ ...before, ...changes }, ctx))],
    answer: ok({ profile_picture: composePictureUrl(ctx.origin, picture.key) }),
  };
  return await withStored(ctx, [picture], () => commit(ctx, change));
}
