/** The kinds of staged work, which a job does in steps. */
import { partsOf, resolveGiven } from "./contributions.ts";
import { companyErasureWork } from "./erase.ts";
import type { StagedKind } from "./staged/kind.ts";

export const stagedKinds: readonly StagedKind[] = [
  ...partsOf("staged").flatMap((given) => resolveGiven(given)),
  companyErasureWork,
];
