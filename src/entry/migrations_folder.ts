import { join } from "node:path";

/** Folder of the migrations, beside `src`. */
export const migrationsFolder = join(import.meta.dirname!, "../../drizzle");
