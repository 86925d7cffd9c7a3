/** Every table, with what its columns name: those of the features and of the layers below them. */
import { partsOf } from "./contributions.ts";

export const tables = partsOf("tables").flat();

export const references = partsOf("references").flat();
