/** What the layers below the features contribute: their tables and jobs. */
import { lifetimes } from "./core/lifetimes.ts";
import { endInTime } from "./db/clock_ahead.ts";
import { removeExpired, stepRows } from "./db/expiry.ts";
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
  lifetimes: [
    {
      table: "idempotency_keys",
      columns: ["expires_at"],
      longest: { ms: lifetimes.idempotencyKey, from: "now" },
      step: stepRows,
    },
    {
      table: "mails",
      columns: ["expires_at"],
      longest: { ms: lifetimes.endedMail, from: "now" },
      step: stepRows,
    },
    { table: "leases", columns: ["until"], step: stepRows },
    // A record past its `due_at` was retried since, or is gone.
    { table: "set_aside", columns: ["due_at"], step: stepRows },
  ],
  sealed: [["mails", "body"], ["idempotency_keys", "sealed"]],
  jobs: (all) => ({
    clock: { endInTime: (deps, now) => endInTime(deps, now, all.lifetimes), reportHold },
    ends: {
      removeUnusedConstants,
      removeExpired: (deps, now) => removeExpired(deps, now, all.lifetimes),
      removeObjects,
      forgetWords: (deps, now) => forgetWords(deps, now),
    },
  }),
};
