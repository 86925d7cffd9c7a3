/** The kinds of staged work, which a job does in steps. */
import { collectParts, resolveGiven } from "./contributions.ts";
import { companyErasureWork } from "./erase.ts";
import type { StagedKind } from "./staged/kind.ts";

export const stagedKinds: readonly StagedKind[] = [
  ...collectParts("staged").flatMap((given) => resolveGiven(given)),
  companyErasureWork,
];
