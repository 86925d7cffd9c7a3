/** The logos of a company. */
import { ok } from "../../core/answer.ts";
import { describeTimezone } from "../../core/reference.ts";
import { commit, writeBefore } from "../../db/commit.ts";
import type { Context } from "../../db/context.ts";
import { announceObjects, dropObjects, takeObjects, withStored } from "../../db/objects.ts";
import type { Upload } from "../../http/multipart.ts";
import { requireReach } from "../permissions.ts";
import { composePictureUrl } from "../pictures/address.ts";
import { checkPictures, describePicturePart, type Size } from "../pictures/check.ts";
import { companyById, readOwn } from "./queries.ts";
import { changeCompany } from "./write.ts";

/** The sizes of the logos on pages. They determine the ratio of the sides. */
const shown: Readonly<Record<"logo_1" | "logo_2", Size>> = {
  logo_1: { width: 480, height: 140 },
  logo_2: { width: 80, height: 80 },
};

export const logoParts = {
  logo_1: describePicturePart("A rectangle in the ratio 480 by 140."),
  logo_2: describePicturePart("A square."),
};

/** Returns 200 with details of the company. Replaces both logos. */
export async function setLogos(
  ctx: Context,
  files: Readonly<Record<"logo_1" | "logo_2", Upload>>,
) {
  requireReach(ctx.caller, "company.write");
  const { companyId } = ctx.caller;
  const pictures = await checkPictures(files, shown);
  const both = [pictures.logo_1, pictures.logo_2];
  const own = companyById(companyId);
  const [, found] = await writeBefore(ctx, [announceObjects(ctx, companyId, both, own), own]);
  const before = readOwn(found);
  const { phone_number, website, vat } = before;
  const [logo_1, logo_2] = [pictures.logo_1.key, pictures.logo_2.key];
  const change = {
    statements: [
      ...takeObjects(ctx, both),
      ...changeCompany(before, { logo_1, logo_2, updated_at: ctx.at }),
      dropObjects(ctx.now, [before.logo_1, before.logo_2]),
    ],
    answer: ok({
      phone_number,
      website,
      vat,
      logo_1: composePictureUrl(ctx.origin, logo_1),
      logo_2: composePictureUrl(ctx.origin, logo_2),
      timezone: describeTimezone(before.timezone, ctx.now),
    }),
  };
  return await withStored(ctx, both, () => commit(ctx, change));
}
