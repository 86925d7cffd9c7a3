/** Indexes the texts of the database file that is given, a few rows a step. */
import { openFile } from "../../src/platform/database/file.ts";
import { indexAll } from "./texts_world.ts";

const db = openFile(Deno.args[0]!);
await indexAll(db, 3);
await db.close();
