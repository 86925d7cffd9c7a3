import { z } from "zod";

/** A user as other records show one. */
export const UserSummary = z.object({
  id: z.int().meta({ example: 7 }),
  name: z.string().meta({ example: "Ada Byron" }),
})
  .meta({ id: "UserSummary" });
