/** Deletes accounts and contacts. */
import type { Feature } from "../../feature.ts";
import { fileDetachment } from "../attached_files.ts";
import { accountRemovalWork } from "./accounts.ts";
import { customerRemovalEndpoints } from "./routes.ts";

export const customerRemoval: Feature = {
  folder: "customers/removal",
  endpoints: ({ customerDeletion }) => customerRemovalEndpoints(customerDeletion),
  staged: ({ customerDeletion }) => [accountRemovalWork(customerDeletion), fileDetachment],
};
