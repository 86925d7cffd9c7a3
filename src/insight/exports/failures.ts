/** Why an export has failed. */
export const exportFailures = {
  file_quota: "The files of the company may take no more. Delete some, and export the figures again.",
  unavailable: "The file could not be stored for two days. Export the figures again.",
  internal: "The file could not be written. Export the figures again.",
} as const;
export type ExportFailure = keyof typeof exportFailures;
