/** What a feature contributes to the service. `features.ts` lists all features. */
import type { Hono } from "hono";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ContactMoveEffects } from "./customers/contacts/on_moved.ts";
import type { FieldValueOwner } from "./customers/fields/deleted_fields.ts";
import type { StopFilters } from "./customers/fields/stop_filters.ts";
import type { Contribution } from "./customers/filter_catalogue.ts";
import type { Dependents } from "./customers/deletion/dependents.ts";
import type { Blocker } from "./db/blockers.ts";
import type { Lifetime } from "./db/expiry.ts";
import type { SealedColumn } from "./db/key_check.ts";
import type { MailKinds } from "./db/mails.ts";
import type { DeletableKind, References } from "./db/references.ts";
import type { ShownRecords } from "./db/shown_records.ts";
import type { Stopping } from "./db/stops.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./http/endpoint.ts";
import type { Stray } from "./http/mount.ts";
import type { Described } from "./http/openapi_operation.ts";
import type { AccountOfCompany } from "./identity/companies/update_settings.ts";
import type { GroupDeletion } from "./identity/groups/deletion.ts";
import type { TeamPart, TeamReassignment } from "./identity/teams/deletion.ts";
import type { UserReassignment } from "./identity/users/deletion.ts";
import type { Correspondence } from "./sales/activities/correspondence.ts";
import type { StagedKind } from "./staged/kind.ts";
import type { Reindexed } from "./staged/reindex.ts";

/** One feature, in the `feature.ts` of its folder. */
export interface Feature {
  /** Its folder below `src`, such as `sales/leads`. */
  readonly folder: string;

  /** Its tables, and what their columns name. drizzle-kit finds the same tables by the names of their files. */
  readonly tables?: readonly SQLiteTable[];
  readonly references?: readonly References[];
  /** Its rows that end by themselves. */
  readonly lifetimes?: readonly Lifetime[];
  /** Its columns that the secrets key seals. */
  readonly sealed?: readonly SealedColumn[];
  /** Files of the folder that export lists of triggers and full-text indexes. Only migrations load them. */
  readonly triggers?: readonly string[];

  /** Endpoints of `/v1` and `/upload`. Literal paths come before paths with parameters. */
  readonly endpoints?: Given<readonly Endpoint[]>;
  /** Routes that are no endpoints, such as pages and files. */
  readonly routes?: readonly HandMadeRoutes[];
  /** Clearer errors for paths that resemble known ones. */
  readonly strays?: readonly Stray[];
  /** The requests that webhooks send. */
  readonly webhooks?: readonly Described[];

  /** Work that runs every minute on every runtime, by phase and name. */
  readonly jobs?: Given<Jobs>;
  /** Kinds of staged work, which a job does in steps. */
  readonly staged?: Given<readonly StagedKind[]>;
  /** What its rows keep for search and filters, which is computed again when the rules change. */
  readonly reindexed?: readonly Reindexed[];

  /** The records that mails are about: what the end of a mail changes. Features can share a kind. */
  readonly mailKinds?: MailKinds;
  /** What notifications show of its records. */
  readonly notices?: ShownRecords;

  /** Fields by which accounts and contacts are filtered. */
  readonly filterFields?: Contribution;
  /** Stops its stored filters and texts that name something whose meaning ends. */
  readonly stopFilters?: StopFilters;
  /** How its records stop that declare `stop`. */
  readonly stops?: Stopping;
  /** Its records with custom values, from which those of a deleted field are taken. */
  readonly fieldValues?: FieldValueOwner;

  /** What happens to its records when a user, team or group is deleted, beside what their references declare. */
  readonly userDeletion?: readonly UserReassignment[];
  readonly teamDeletion?: readonly TeamPart[];
  readonly groupDeletion?: GroupDeletion;
  /** What happens to its records when an account or a contact is deleted, or a contact moves. */
  readonly customerDeletion?: Dependents;
  readonly contactMoves?: ContactMoveEffects;

  /** Finds the account that a company names as its own. One feature has it. */
  readonly accountOfCompany?: AccountOfCompany;
  /** Writes the e-mail and the letter of an activity. One feature has it. */
  readonly correspondence?: Correspondence;
}

/** A contribution that may need those of other features. */
export type Given<T> = T | ((all: Contributions) => T);

/** What all features contribute to others, joined in `contributions.ts`. */
export interface Contributions {
  /** The records of all features that prevent the deletion of a record. */
  readonly blockers: (kind: DeletableKind) => readonly Blocker[];
  readonly lifetimes: readonly Lifetime[];
  readonly sealed: readonly SealedColumn[];
  readonly filterFields: readonly Contribution[];
  readonly stopFilters: StopFilters;
  readonly fieldValues: readonly FieldValueOwner[];
  readonly reindexed: readonly Reindexed[];
  readonly userDeletion: readonly UserReassignment[];
  readonly teamDeletion: TeamReassignment;
  readonly groupDeletion: GroupDeletion;
  readonly customerDeletion: Dependents;
  readonly contactMoves: ContactMoveEffects;
  readonly accountOfCompany: AccountOfCompany;
  readonly correspondence: Correspondence;
  readonly mailKinds: MailKinds;
}

/** Routes that are no endpoints: they check and answer by themselves. */
export interface HandMadeRoutes {
  readonly serve: (app: Hono, deps: Deps) => void;
  /** Their part of the OpenAPI document. */
  readonly operations: readonly Described[];
}

/**
 * The phases of jobs, in their order:
 * - `timers` do what is due at a given time, which can be ahead of the clock;
 * - `clock`: what the others rely on;
 * - `queue`: messages that are due; `start`: campaigns that are due; `steps` of staged work; `announce`:
 *   notifications; `recover`: deliveries that are sent again; `send`; `count`: figures; `index`: texts;
 * - `ends` are irreversible: they get a time that moves slowly while a clock is ahead.
 */
export type Phase =
  | "timers"
  | "clock"
  | "queue"
  | "start"
  | "steps"
  | "announce"
  | "recover"
  | "send"
  | "count"
  | "index"
  | "ends";

/** `now`: epoch milliseconds. A result other than 0 is logged. */
export type Job = (deps: Deps, now: number) => Promise<unknown>;

export type Jobs = { readonly [P in Phase]?: Readonly<Record<string, Job>> };
