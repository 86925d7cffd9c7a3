/** What the layers below the features contribute: their tables and jobs. */
import { endInTime } from "./db/clock_ahead.ts";
import { removeExpired } from "./db/expiry.ts";
import { forgetWords } from "./db/forget_words.ts";
import { reportHold } from "./db/hold.ts";
import { removeUnusedConstants } from "./db/json_pool.ts";
import { removeObjects } from "./db/objects.ts";
import {
  ageing,
  callerChanges,
  eventSequenceReferences,
  eventSequences,
  factMoments,
  feedEpochs,
  feedFloors,
  holds,
  idempotencyKeyReferences,
  idempotencyKeys,
  jsonPool,
  keyChecks,
  leases,
  mailRate,
  mailReferences,
  mails,
  objects,
  outbox,
  outboxReferences,
  totalReferences,
  totals,
} from "./db/tables.ts";
import { deletedNames, factDimReferences, factDims, factReferences, facts } from "./facts/tables.ts";
import { setAside, stagedWork, stagedWorkReferences } from "./staged/table.ts";
import type { Feature } from "./feature.ts";

export const foundation: Feature = {
  folder: "db",
  tables: [
    jsonPool,
    callerChanges,
    mails,
    mailRate,
    holds,
    outbox,
    feedFloors,
    feedEpochs,
    eventSequences,
    idempotencyKeys,
    totals,
    objects,
    ageing,
    keyChecks,
    leases,
    factMoments,
    facts,
    deletedNames,
    factDims,
    stagedWork,
    setAside,
  ],
  references: [
    outboxReferences,
    eventSequenceReferences,
    mailReferences,
    idempotencyKeyReferences,
    totalReferences,
    factReferences,
    factDimReferences,
    stagedWorkReferences,
  ],
  jobs: {
    clock: { endInTime, reportHold },
    ends: {
      removeUnusedConstants,
      removeExpired,
      removeObjects,
      forgetWords: (deps, now) => forgetWords(deps, now),
    },
  },
};
