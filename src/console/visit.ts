/** A request of a person to the console: who they are, what they send, and the calls that they may make. */
import { type Json, toJson } from "../core/json.ts";
import { requireRight } from "../core/access.ts";
import type { Right } from "../core/rights.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { computeEtag } from "../http/conditional.ts";
import { callEndpoint, type InnerCaller, type InnerInput } from "../http/inner_call.ts";
import { type Forms, makeForms } from "./shown_forms.ts";
import { type Formats, getFormats } from "./format.ts";
import type { Person } from "./person.ts";
import type { Refused } from "./refused_change.ts";
import { languages } from "./texts/languages.ts";
import type { Texts } from "./texts/en.ts";

/** The endpoints of the API by the name of their operation. */
export type Operations = ReadonlyMap<string, Endpoint>;

export interface Visit {
  readonly person: Person;
  readonly texts: Texts;
  readonly formats: Formats;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Where the page is, with its query. The page of a form may be elsewhere than where the form is sent. */
  readonly address: string;
  /** Where a form stands, with its query; null where it does not say so. */
  readonly from: string | null;
  readonly query: URLSearchParams;
  /** The parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The fields of a POST; empty for a GET. */
  readonly form: FormData;
  readonly forms: Forms;
  /** Whether the person has the right. */
  readonly may: (right: Right) => boolean;
  /** Throws 403 without the right. */
  readonly require: (right: Right) => void;
  /** Returns the body of the answer to a call of the API; throws its problem. */
  readonly call: <T = void>(operation: string, sent?: InnerInput) => Promise<T>;
  /** Returns the document that a call answers in place of JSON. */
  readonly text: (operation: string, sent?: InnerInput) => Promise<string>;
  /** Returns a record with its version, as an entity tag. */
  readonly record: <T>(operation: string, sent?: InnerInput) => Promise<{ record: T; version: string }>;
  /** Returns the address that a call leads to. */
  readonly target: (operation: string, sent?: InnerInput) => Promise<string>;
  /** Does the same for the change of a form, which takes effect once. */
  readonly change: <T = void>(operation: string, sent?: InnerInput) => Promise<T>;
}

interface Request {
  readonly person: Person;
  readonly caller: InnerCaller;
  readonly operations: Operations;
  readonly now: number;
  readonly address: string;
  readonly from: string | null;
  readonly query: URLSearchParams;
  readonly params: Readonly<Record<string, string>>;
  readonly form: FormData;
  readonly token: string;
  readonly refused: Refused | null;
}

/** Returns the last page of a list when the answer is beyond it, as after its last entry has gone; else null. */
function findLastPage(answer: unknown): string | null {
  const { data, pagination } = answer as {
    readonly data?: readonly unknown[];
    readonly pagination?: { readonly total: number; readonly per_page: number };
  };
  if (!data || !pagination || data.length > 0 || pagination.total === 0) return null;
  return String(Math.ceil(pagination.total / pagination.per_page));
}

export function makeVisit(request: Request): Visit {
  const { person, caller, operations, form, token, refused } = request;
  const texts = languages[person.language];
  const key = form.get("key");
  let changes = 0;
  const answer = async (operation: string, sent?: InnerInput) => {
    const endpoint = operations.get(operation);
    if (!endpoint) throw new TypeError(`There is no operation ${operation}.`);
    return await callEndpoint(caller, endpoint, sent);
  };
  const ask = async (operation: string, sent?: InnerInput): Promise<unknown> => {
    const { body } = await answer(operation, sent);
    return body ? JSON.parse(toJson(body).text) : undefined;
  };
  const call = async <T>(operation: string, sent?: InnerInput): Promise<T> => {
    const found = await ask(operation, sent);
    const last = sent?.query?.page === undefined ? null : findLastPage(found);
    return (last === null
      ? found
      : await ask(operation, { ...sent, query: { ...sent!.query, page: last } })) as T;
  };
  return {
    person,
    texts,
    formats: getFormats(person.locale, person.timezone, person.currency),
    now: request.now,
    address: request.address,
    from: request.from,
    query: request.query,
    params: request.params,
    form,
    forms: makeForms({ token, refused, texts, address: request.address }),
    may: (right) => person.known.caller!.rights.has(right),
    require: (right) => requireRight(person.known.caller!, right),
    call,
    async text(operation, sent) {
      return toJson((await answer(operation, sent)).body!).text;
    },
    async record<T>(operation: string, sent?: InnerInput) {
      const body: Json = toJson((await answer(operation, sent)).body!);
      return { record: JSON.parse(body.text) as T, version: computeEtag(body) };
    },
    async target(operation, sent) {
      return (await answer(operation, sent)).headers!.Location!;
    },
    change(operation, sent) {
      const at = changes++;
      const own = typeof key === "string" && key !== "" ? { key: `${key}.${at}` } : {};
      const version = form.get("version");
      const match = typeof version === "string" && at === 0 ? { ifMatch: version } : {};
      return call(operation, { ...own, ...match, ...sent });
    },
  };
}
