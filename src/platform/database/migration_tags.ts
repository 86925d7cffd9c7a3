import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };

/** The tags of all migrations in order, bundled, for where no files can be read. */
export const migrationTags: readonly string[] = journal.entries.map((entry) => entry.tag);
