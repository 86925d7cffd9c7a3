/**
 * The one door. An endpoint is declared once: its path, who may call it, what it takes and answers. From
 * the declaration come the checks, the conventions and the OpenAPI document.
 */
import type { z } from "@hono/zod-openapi";
import type { Answer } from "../core/answer.ts";
import type { Json } from "../core/json.ts";
import type { ConflictCode } from "../core/errors.ts";
import type { Policy } from "../core/rate_limits.ts";
import type { Right } from "../core/rights.ts";
import type { ClientContext, Context } from "../db/context.ts";
import type { Row, Statement } from "../platform/database/database.ts";
import type { IncomingFile } from "./incoming_file.ts";
import type { FilePart, Upload } from "./multipart.ts";

export type Method = "get" | "post" | "put" | "delete";

/** How a part of the path must look; anything else is 404. */
export type ParamForm = "uuid" | "integer" | "text";

type Params<P> = { [K in keyof P]: P[K] extends "integer" ? number : string };

/** What an answer is: its schema (null: no body), by status. */
export type Answers = Readonly<Record<number, { description: string; schema: z.ZodType | null }>>;

/** The JSON of a schema: what a presenter returns. */
export type JsonOf<S extends z.ZodType> = Json<Wire<z.output<S>>>;

/** The answer of one of the schemas; without any, one without a body. */
export type AnswerOf<A extends Answers> = Answer<
  {
    [Status in keyof A]: A[Status] extends { schema: infer S extends z.ZodType } ? Wire<z.output<S>> : never;
  }[
    keyof A
  ]
>;

/** A value that is only read, so that constant lists may be part of it. */
export type Wire<T> = T extends object ? { readonly [K in keyof T]: Wire<T[K]> } : T;

interface Declaration<
  P extends Record<string, ParamForm>,
  Q extends z.ZodType,
  B extends z.ZodType,
  F extends string,
  A extends Answers = Answers,
> {
  readonly method: Method;
  /** Below the origin, such as `/v1/accounts/:account_id`. */
  readonly path: string;
  readonly operation: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The right that the caller must have. */
  readonly right?: Right;
  /** Whether a trusted client is needed beside the user. */
  readonly trusted?: boolean;
  readonly params?: P;
  readonly query?: Q;
  /**
   * What a call that writes nothing reads in the round trip in which its caller is looked up, of what its
   * query names: the statement for a token (its hash), with a row at most; null: nothing. Nothing has been
   * checked by then.
   */
  readonly beside?: (
    query: Readonly<Record<string, string | readonly string[]>>,
  ) => ((tokenHash: string) => Statement) | null;
  readonly body?: B;
  /** The most bytes of a JSON body, where it is more than usual. */
  readonly bodyLimit?: number;
  /** The files of a body that is `multipart/form-data`, all required; `body` is then of its text fields. */
  readonly multipart?: Readonly<Record<F, FilePart>>;
  /**
   * Whether the verb stores the one file of `multipart` while it arrives: `input.incoming` then has it, `input.files`
   * nothing. Such a form has no other fields.
   */
  readonly streamed?: boolean;
  readonly answers: A;
  /** Whether it writes nothing though its method would: then its answers are not kept to be sent again. */
  readonly reads?: boolean;
  /** The 409 codes that it may answer. */
  readonly conflicts?: readonly ConflictCode[];
  /** Limits of failed attempts, by address or account; see `identity/attempts/limits.ts`. */
  readonly limits?: readonly Policy[];
  readonly deprecated?: Deprecation;
  /** Query parameters on their way out, by name. */
  readonly deprecatedParameters?: Readonly<Record<string, Deprecation>>;
}

export interface Deprecation {
  /** When it was announced, epoch seconds. */
  readonly since: number;
  /** When it may go, as an HTTP date. */
  readonly sunset?: string;
  /** What replaces it, below the origin. */
  readonly successor?: string;
}

export interface Input<P, Q, B, F extends string = never> {
  readonly params: Params<P>;
  readonly query: Q;
  readonly body: B;
  readonly files: Readonly<Record<F, Upload>>;
  /** The file of a streamed form. */
  readonly incoming: IncomingFile | null;
  /** The row of the declaration's `beside`. */
  readonly beside: Row | null;
  /** The address called. */
  readonly url: string;
}

/** `user`: a client that acts for a user; `client`: any client; `trusted`: a trusted one. */
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

/** What was read of a request, before the declaration gives it its types. */
export interface ReadInput {
  readonly params: Readonly<Record<string, string | number>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly files: Readonly<Record<string, Upload>>;
  readonly incoming: IncomingFile | null;
  readonly beside: Row | null;
  readonly url: string;
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

/** An endpoint for users: the context has the caller, and the right is checked. */
export function endpoint<
  const P extends Record<string, ParamForm> = NoParams,
  Q extends z.ZodType = z.ZodType<undefined>,
  B extends z.ZodType = z.ZodType<undefined>,
  F extends string = never,
  const A extends Answers = Answers,
>(declared: Declaration<P, Q, B, F, A>, run: Verb<Context, P, Q, B, F, A>): Endpoint {
  return { declared, access: "user", writes: writes(declared), run: run as Endpoint["run"] };
}

/** An endpoint that a client calls without a user, or with one that does not matter. */
export function clientEndpoint<
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

function writes({ method, reads }: { method: Method; reads?: boolean }): boolean {
  return method !== "get" && !reads;
}
