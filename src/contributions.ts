/** Joins what the features contribute to each other. */
import { joinStopFilters } from "./customers/fields/stop_filters.ts";
import { listBlockers } from "./db/blockers.ts";
import { makeDeleteNaming } from "./db/cascades.ts";
import { makeClearNaming } from "./db/clears.ts";
import type { MailKind, MailKinds } from "./db/mails.ts";
import type { DeletableKind } from "./db/references.ts";
import { makeStopNaming } from "./db/stops.ts";
import { makeReassignNaming } from "./db/successors.ts";
import type { Contributions, Feature, Given } from "./feature.ts";
import { features } from "./features.ts";
import { countAffected } from "./identity/teams/affected_records.ts";
import { joinTeamParts } from "./identity/teams/deletion.ts";
import { changeRecordsOfGroup, changeRecordsOfTeam, changeRecordsOfUser } from "./identity/naming_records.ts";

const userParts = collectParts("userDeletion").flat();
const teamParts = collectParts("teamDeletion").flat();
const references = collectParts("references").flat();
const reassignNaming = makeReassignNaming(references);
const stopNaming = makeStopNaming(references, collectParts("stops"));
const groupParts = [
  changeRecordsOfGroup(stopNaming),
  ...collectParts("groupDeletion"),
  changeRecordsOfGroup(reassignNaming),
];
const blockers = (kind: DeletableKind) => listBlockers(references, kind);

/** Deletes the rows that go with deleted records. */
export const deleteNaming = makeDeleteNaming(references);

/** Takes deleted records out of the rows that name them. */
export const clearNaming = makeClearNaming(references);

/** The parts keep the order of the features. */
export const contributions: Contributions = {
  blockers,
  lifetimes: collectParts("lifetimes").flat(),
  sealed: collectParts("sealed").flat(),
  filterFields: collectParts("filterFields"),
  stopFilters: joinStopFilters(...collectParts("stopFilters")),
  fieldValues: collectParts("fieldValues"),
  reindexed: collectParts("reindexed").flat(),
  userDeletion: [
    changeRecordsOfUser(stopNaming),
    ...userParts.filter(({ inSteps }) => !inSteps),
    changeRecordsOfUser(reassignNaming),
    ...userParts.filter(({ inSteps }) => inSteps),
  ],
  teamDeletion: joinTeamParts([
    changeRecordsOfTeam(stopNaming),
    ...teamParts,
    changeRecordsOfTeam(reassignNaming),
    countAffected(references, teamParts),
  ]),
  groupDeletion: (...group) => groupParts.flatMap((part) => part(...group)),
  customerDeletion: findOnePart("customerDeletion"),
  contactMoves: findOnePart("contactMoves"),
  accountOfCompany: findOnePart("accountOfCompany"),
  correspondence: findOnePart("correspondence"),
  mailKinds: joinMailKinds(collectParts("mailKinds")),
};

/** Returns what the features contribute of one kind, in their order. */
export function collectParts<K extends keyof Feature>(kind: K): Exclude<Feature[K], undefined>[] {
  return features.map((feature) => feature[kind])
    .filter((part): part is Exclude<Feature[K], undefined> => part !== undefined);
}

/** Returns a contribution that may need those of other features. */
export function resolveGiven<T extends object>(given: Given<T>): T {
  return typeof given === "function" ? given(contributions) : given;
}

/** Returns the contribution that one feature has alone. */
function findOnePart<K extends keyof Feature>(kind: K): Exclude<Feature[K], undefined> {
  const [part, ...others] = collectParts(kind);
  if (part === undefined || others.length > 0) throw new Error(`one feature has ${kind}`);
  return part;
}

/** The end of a mail changes the records of all features that share its kind. */
function joinMailKinds(parts: readonly MailKinds[]): MailKinds {
  const names = new Set(parts.flatMap((part) => Object.keys(part)));
  return Object.fromEntries([...names].map((name): [string, MailKind] => {
    const kinds = parts.flatMap((part) => part[name] ?? []);
    const judging = kinds.find((kind) => kind.against);
    return [name, {
      recordEnd: (end) => kinds.flatMap(({ recordEnd }) => recordEnd(end)),
      ...(judging?.against ? { against: judging.against } : {}),
      ...(judging?.inEachLane ? { inEachLane: judging.inEachLane } : {}),
    }];
  }));
}
