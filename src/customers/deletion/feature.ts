/** Deletes accounts and contacts. */
import type { Feature } from "../../feature.ts";
import { fileDetachment } from "../attached_files.ts";
import { describeAccountDeletion } from "./accounts.ts";

export const customerDeletion: Feature = {
  folder: "customers/deletion",
  staged: ({ customerDeletion }) => [describeAccountDeletion(customerDeletion), fileDetachment],
};
