/**
 * Declares endpoints: path, access, input and answers. The checks, the conventions and the OpenAPI document
 * follow from the declaration.
 */
import type { z } from "zod";
import type { Answer } from "../core/answer.ts";
import type { ConflictCode, Problem } from "../core/errors.ts";
import type { Policy } from "../core/rate_limits.ts";
import type { Right } from "../core/rights.ts";
import type { ClientContext, Context } from "../db/context.ts";
import type { Sql } from "../db/statements.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { IncomingFile } from "./incoming_file.ts";
import type { FilePart, Upload } from "./multipart.ts";

export type Method = "get" | "post" | "put" | "delete";

/** The form of a path parameter; any other value is 404. */
export type ParamForm = "uuid" | "integer" | "text";

export interface TextParam {
  readonly example: string;
  readonly description?: string;
  /** A regular expression for the values. */
  readonly pattern?: string;
  readonly enum?: string[];
}

type Params<P> = { [K in keyof P]: P[K] extends "integer" ? number : string };

/** Schemas of answers by status; null: no body. `media`: the media type of a body that is no JSON, `attachment`: a file. */
export type Answers = Readonly<
  Record<number, { description: string; schema: z.ZodType | null; media?: string; attachment?: true }>
>;

/** An answer with one of the schemas, or without a body if there are none. */
export type AnswerOf<A extends Answers> = Answer<
  {
    [Status in keyof A]: A[Status] extends { schema: infer S extends z.ZodType } ? Wire<z.output<S>> : never;
  }[
    keyof A
  ]
>;

/** A read-only value, so that it accepts constant lists. */
export type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<T[K]> } : T;

interface Declaration<
  P extends Record<string, ParamForm>,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends string,
  A extends Answers = Answers,
> {
  readonly method: Method;
  /** Without the origin, such as `/v1/accounts/:account_id`. */
  readonly path: string;
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The right that the caller must have. */
  readonly right?: Right;
  /** Whether the user's client must be trusted. */
  readonly trusted?: boolean;
  readonly params?: P;
  /** Descriptions of parameters of the form `text` for the OpenAPI document, by name. */
  readonly describedParams?: Readonly<Record<string, TextParam>>;
  readonly query?: Q;
  /**
   * Returns a statement to run in the round trip that reads the caller, or null for none. It is built from
   * the query, the path's parameters and SQL for the id of the caller, before any of them is checked. It
   * selects at most one row. A write that runs again gets the same row, so its commit must not depend on it.
   */
  readonly prefetch?: (
    query: Readonly<Record<string, string | readonly string[]>>,
    params: Readonly<Record<string, string>>,
  ) => ((userId: Sql) => Statement) | null;
  readonly body?: B;
  /** The size limit of a JSON body in bytes, where it is higher than usual. */
  readonly bodyLimit?: number;
  /** The files of a `multipart/form-data` body, all required. `body` then describes its text fields. */
  readonly multipart?: Readonly<Record<F, FilePart>>;
  /**
   * Whether the verb stores the only file of `multipart` while it arrives, from `input.incoming`;
   * `input.files` is then empty. The file comes with the form's fields, which the verb validates.
   */
  readonly streamed?: boolean;
  /** A JSON body that a streamed form can be replaced by: `input.body` then has it, and `input.incoming` is null. */
  readonly orJson?: z.ZodType;
  readonly answers: A;
  /** Whether its answer has no end. */
  readonly endless?: boolean;
  /** Whether calls do not count for the general limit of calls: the calls that they make count instead. */
  readonly uncounted?: boolean;
  /** Whether it writes nothing despite its method. Its answers are then not stored for replays. */
  readonly reads?: boolean;
  /** Whether a GET creates something; a HEAD request then does nothing. */
  readonly creates?: boolean;
  /** The 409 codes that it may return. */
  readonly conflicts?: readonly ConflictCode[];
  /** When it is 410. */
  readonly gone?: string;
  /** Limits of failed attempts, by address or account; see `identity/attempts/limits.ts`. */
  readonly limits?: readonly Policy[];
  readonly deprecated?: Deprecation;
  /** Deprecated query parameters, by name. */
  readonly deprecatedParameters?: Readonly<Record<string, Deprecation>>;
}

export interface Deprecation {
  /** When it was announced, epoch seconds. */
  readonly since: number;
  /** When it may be removed, as an HTTP date. */
  readonly sunset?: string;
  /** The path of its replacement. */
  readonly successor?: string;
}

export interface Input<P, Q, B, F extends string = never> {
  readonly params: Params<P>;
  readonly query: Q;
  readonly body: B;
  readonly files: Readonly<Record<F, Upload>>;
  /** The file of a streamed form. */
  readonly incoming: IncomingFile | null;
  /** The row that the declaration's `prefetch` returned. */
  readonly prefetched: Row | null;
  /** The URL of the request. */
  readonly url: string;
  readonly outer: OuterCall | null;
}

/** For endpoints that make further calls of the API; null if the call itself is made inside the service. */
export interface OuterCall {
  readonly request: Request;
  /** Sends a request to the app, from the address of this one. */
  readonly send: (request: Request) => Response | Promise<Response>;
  /** Returns the context with the caller as they are now. Throws 401 or 403 when the token or the right has ended. */
  readonly renew: () => Promise<Context>;
  /** Returns the response for an error. */
  readonly refuse: (problem: Problem) => Response;
}

/** `user`: a client that acts for a user; `client`: any client; `trusted`: a trusted client. */
export type Access = "user" | "client" | "trusted";

export interface Endpoint {
  readonly declared: Declaration<Record<string, ParamForm>, z.ZodType, z.ZodType, string>;
  readonly access: Access;
  /** Whether calling it may change something. */
  readonly writes: boolean;
  readonly run: (
    ctx: ClientContext | Context,
    input: ReadInput,
  ) => Promise<Answer>;
}

/** The input of a request before the declaration types it. */
export interface ReadInput {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly files: Readonly<Record<string, Upload>>;
  readonly incoming: IncomingFile | null;
  readonly prefetched: Row | null;
  readonly url: string;
  readonly outer: OuterCall | null;
}

type NoParams = Record<never, ParamForm>;
type Verb<
  C,
  P extends Record<string, ParamForm>,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends string,
  A extends Answers,
> = (ctx: C, input: Input<P, z.output<Q>, z.output<B>, F>) => Promise<AnswerOf<A>>;

/** Declares an endpoint for users. The context has the caller, whose right is checked. */
export function endpoint<
  const P extends Record<string, ParamForm> = NoParams,
  Q extends z.ZodType = z.ZodType<undefined>,
  B extends z.ZodType = z.ZodType<undefined>,
  F extends string = never,
  const A extends Answers = Answers,
>(declared: Declaration<P, Q, B, F, A>, run: Verb<Context, P, Q, B, F, A>): Endpoint {
  return { declared, access: "user", writes: writes(declared), run: run as Endpoint["run"] };
}

/** Declares an endpoint for clients, with or without a user. */
export function declareClientEndpoint<
  const P extends Record<string, ParamForm> = NoParams,
  Q extends z.ZodType = z.ZodType<undefined>,
  B extends z.ZodType = z.ZodType<undefined>,
  F extends string = never,
  const A extends Answers = Answers,
>(
  access: "client" | "trusted",
  declared: Declaration<P, Q, B, F, A>,
  run: Verb<ClientContext, P, Q, B, F, A>,
): Endpoint {
  return { declared, access, writes: writes(declared), run: run as Endpoint["run"] };
}

function writes({ method, reads, creates }: { method: Method; reads?: boolean; creates?: boolean }): boolean {
  return method === "get" ? creates === true : !reads;
}
