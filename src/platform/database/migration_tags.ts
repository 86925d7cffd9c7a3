import journal from "../../../drizzle/meta/_journal.json" with { type: "json" };

/** The tags of all migrations in order. They are bundled, for runtimes that cannot read files. */
export const migrationTags: readonly string[] = journal.entries.map((entry) => entry.tag);
