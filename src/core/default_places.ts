/** Where a box keeps its data by default. */

export const defaultDatabaseUrl = "file:./data/crm.db";
export const defaultStorageUrl = "file:./data/files";
