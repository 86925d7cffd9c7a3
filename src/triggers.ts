/** Every trigger and full-text index, for migrations: what the files export that the features name. */
import type { SchemaObject } from "./db/triggers.ts";
import { features } from "./features.ts";

const files = features.flatMap(({ folder, triggers = [] }) => triggers.map((file) => `./${folder}/${file}`));

// The service never runs this file, so a build leaves the files out.
const modules = await Promise.all(files.map((file): Promise<object> => import(file)));

export const schemaObjects: readonly SchemaObject[] = modules.flatMap((exported) => Object.values(exported))
  .filter((value): value is readonly SchemaObject[] => Array.isArray(value)).flat();
