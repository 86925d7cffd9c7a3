import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  // The files of tables by their names; a test compares them with the list of features.
  schema: "./src/**/{table,tables,record}.ts",
  out: "./drizzle",
  casing: "snake_case",
});
