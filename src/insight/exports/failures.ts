/** Why an export has failed. */
export const exportFailures = {
  file_quota: "The files of the company may take no more. Delete some, and export the figures again.",
  internal: "The file could not be written. Export the figures again.",
} as const;
export type ExportFailure = keyof typeof exportFailures;
