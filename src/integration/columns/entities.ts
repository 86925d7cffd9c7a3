/** The kinds of records that files bring in and take out, by their paths. */
export const importEntities = ["accounts", "contacts", "leads", "products"] as const;
export type ImportEntity = (typeof importEntities)[number];
