/** Why a report came without its PDF. */
export const deliveryFailures = {
  file_quota: "The files of the company may take no more, so the report came without its PDF.",
  internal: "The PDF could not be made, so the report came without it.",
} as const;
export type DeliveryFailure = keyof typeof deliveryFailures;
