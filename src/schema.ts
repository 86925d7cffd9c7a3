/** Every table, with what its columns name: those of the features and of the layers below them. */
import { collectParts } from "./contributions.ts";

export const tables = collectParts("tables").flat();

export const references = collectParts("references").flat();
