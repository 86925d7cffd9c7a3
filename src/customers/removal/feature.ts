/** Deletes accounts and contacts. */
import type { Feature } from "../../feature.ts";
import { fileDetachment } from "../attached_files.ts";
import { accountRemovalWork } from "./accounts.ts";

export const customerRemoval: Feature = {
  folder: "customers/removal",
  staged: ({ customerDeletion }) => [accountRemovalWork(customerDeletion), fileDetachment],
};
