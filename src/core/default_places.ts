/** Where a box keeps its data unless the environment names other places. */

export const defaultDatabaseUrl = "file:./data/crm.db";
export const defaultStorageUrl = "file:./data/files";
