/** Default URLs of the database and the file storage of a box. */

export const defaultDatabaseUrl = "file:./data/crm.db";
export const defaultStorageUrl = "file:./data/files";
