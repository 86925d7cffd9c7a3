/** Rules of fields: accepted values, refused values with their codes, and the documented schema. */

/** The field in the OpenAPI document. */
export interface Documented {
  readonly type: string;
  readonly nullable: boolean;
  readonly required: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly enum?: readonly unknown[];
}

/** A rule with its test values. */
export interface Check {
  readonly says: string;
  /** Accepted values, each with its form in the answer; `unseen` when no answer shows it. */
  readonly taken?: readonly (readonly [value: unknown, shown: unknown])[];
  /** Refused values, each with the code, and the path when it differs from the field's. */
  readonly refused?: readonly (readonly [value: unknown, code: string, path?: string])[];
}

export interface Rule {
  readonly path: string;
  /** Where the answer shows it, such as `billing.country.code`; by default where it was sent. */
  readonly shown: string | typeof unseen;
  readonly documented: Documented;
  readonly checks: readonly Check[];
}

export const unseen = Symbol("unseen");
/** A value that leaves the field out. */
export const absent = Symbol("absent");

/**
 * Whether the field is required: `always` (creating), `never null` (updating, where absent keeps the value),
 * or nullable, which then shows `cleared`.
 */
export type Need = "always" | "never null" | { readonly cleared: unknown };

const clears = (cleared: unknown = null): Need => ({ cleared });

interface More {
  readonly need?: Need;
  readonly shown?: string | typeof unseen;
  /** Where the document differs from `need`. */
  readonly documented?: Partial<Documented>;
  readonly extra?: readonly Check[];
}

/** A field, with the rules that all fields have: other types, and absent values. */
export function rule(
  path: string,
  type: string,
  { need = clears(), shown = path, ...more }: More,
  documented: Partial<Documented>,
  wrongTypes: readonly unknown[],
  checks: readonly (Check | null)[],
): Rule {
  const missing: Check = need === "always"
    ? { says: "required", refused: [[absent, "required"], [null, "required"]] }
    : need === "never null"
    ? { says: "null is refused with required", refused: [[null, "required"]] }
    : { says: `null clears: ${JSON.stringify(need.cleared)?.slice(0, 40)}`, taken: [[null, need.cleared]] };
  const mistyped: Check = {
    says: `other types than ${type} are refused with type`,
    refused: wrongTypes.map((value) => [value, "type"]),
  };
  return {
    path,
    shown,
    documented: {
      type,
      nullable: typeof need === "object",
      required: need === "always",
      ...documented,
      ...more.documented,
    },
    checks: [...checks.filter((check) => check !== null), mistyped, missing, ...more.extra ?? []],
  };
}

interface TextMore extends More {
  readonly least?: number;
  /** A value of this many characters. An emoji counts as one character. */
  readonly make?: (length: number) => string;
  readonly hidden?: boolean;
  readonly wrong?: readonly (readonly [value: unknown, code: string])[];
}

/** Text of at least `least` and at most `most` characters. */
export function text(path: string, most: number, more: TextMore = {}): Rule {
  const { least = 0, make, hidden = false, wrong = [] } = more;
  const of = make ?? ((length: number) => "x".repeat(length));
  // A thousand emoji show that characters count, not bytes; more would exceed the size of a record.
  const emoji = (length: number) =>
    "😀".repeat(Math.min(length, 1_000)).padEnd(length + Math.min(length, 1_000), "x");
  const pairTaken = (value: string) => [value, hidden ? unseen : value] as const;
  return rule(
    path,
    "string",
    more,
    { maxLength: most, ...(least > 0 ? { minLength: least } : {}) },
    [7, true, ["x"], { x: "x" }],
    [
      {
        says: `${most} characters are accepted, ${most + 1} are refused with max`,
        taken: [pairTaken(of(most))],
        refused: [[of(most + 1), "max"]],
      },
      make ? null : {
        says: `a character is a code point: ${most} emoji are accepted, ${most + 1} are refused with max`,
        taken: [pairTaken(emoji(most))],
        refused: [[emoji(most + 1), "max"]],
      },
      least === 1 && !make
        ? {
          says: "white space alone is refused with min, and trimmed at the ends of other text",
          taken: [[" y ", hidden ? unseen : "y"]],
          refused: [[" \t\n", "min"]],
        }
        : null,
      least > 0
        ? {
          says: `${least} characters are accepted, ${least - 1} are refused with min, also emoji`,
          taken: [pairTaken(of(least))],
          refused: [[of(least - 1), "min"], [emoji(least - 1), "min"]],
        }
        : make
        ? null
        : { says: "an empty text is a value", taken: [pairTaken("")] },
      wrong.length > 0
        ? { says: `refused: ${wrong.map(([value]) => JSON.stringify(value)).join(" ")}`, refused: wrong }
        : null,
    ],
  );
}

let count = 0;

/** An e-mail address that no user has. */
export function freshEmail(length = 30): string {
  const number = `n${++count}`;
  const domain = "example.org";
  // At most 64 octets may be in front of the `@`.
  const rest = length - 1 - domain.length;
  const local = number.padEnd(Math.min(rest, 60), "a");
  const label = rest - local.length;
  return `${local}@${label > 1 ? `${"d".repeat(label - 1)}.` : ""}${domain}`;
}

/** A phone number: any text with a digit. */
export function phone(path: string, more: More = {}): Rule {
  return text(path, 255, { ...more, make: (length) => "1".repeat(length), wrong: [["call me", "format"]] });
}

/** An address; `taken` belongs to another user. */
export function email(path: string, { taken, ...more }: More & { readonly taken?: string } = {}): Rule {
  const wrong = [
    "",
    "nobody",
    "a@b",
    "@example.org",
    "a b@example.org",
    "A <a@example.org>",
  ];
  const extra: Check[] = taken === undefined ? [] : [{
    says: "an address of another user is refused with unique, in any case",
    refused: [[taken, "unique"], [taken.toUpperCase(), "unique"]],
  }];
  return text(path, 100, {
    ...more,
    extra,
    make: freshEmail,
    wrong: wrong.map((value) => [value, "format"]),
  });
}

/** `hosts`: whether a name of a host gets `https://` in front. */
export function url(
  path: string,
  { hosts = true, ...more }: More & { readonly refused?: readonly string[]; readonly hosts?: boolean } = {},
): Rule {
  const wrong = [
    "",
    ...(hosts ? [] : ["example.org"]),
    "//example.org",
    "https://",
    "ftp://example.org",
    "javascript:alert(1)",
  ];
  const extra: Check[] = hosts
    ? [{ says: "a host gets https://", taken: [["example.org", "https://example.org"]] }]
    : [];
  return text(path, 255, {
    ...more,
    extra,
    make: (length) => "https://example.org/".padEnd(length, "x"),
    wrong: [...wrong, ...more.refused ?? []].map((value) => [value, "format"]),
  });
}

/** A value of an open set, such as country codes. Where an answer shows an object, it is taken too. */
export function code(
  path: string,
  taken: readonly string[],
  refused: readonly string[],
  more: More = {},
): Rule {
  const isObject = more.shown !== undefined;
  const mistyped = [7, true, [taken[0]], ...(isObject ? [] : [{ code: taken[0] }])];
  return rule(path, "string", more, {}, mistyped, [
    ...(isObject
      ? [{
        says: `{"code": "${taken[0]}"} is taken, as answers show it`,
        taken: [[{ code: taken[0], name: "x" }, taken[0]] as const],
      }]
      : []),
    { says: `${taken.join(", ")} are taken`, taken: taken.map((value) => [value, value]) },
    {
      says: `${refused.map((value) => JSON.stringify(value)).join(", ")} are refused with enum`,
      refused: refused.map((value) => [value, "enum"]),
    },
  ]);
}

/** A value of a closed set. */
export function choice(
  path: string,
  values: readonly (string | number)[],
  refused: readonly (string | number)[],
  more: More = {},
): Rule {
  const type = typeof values[0] === "number" ? "integer" : "string";
  const nullable = more.need === undefined || typeof more.need === "object";
  const mistyped = type === "integer" ? ["1", true, 1.5, [1]] : [7, true, [values[0]]];
  return rule(
    path,
    type,
    more,
    { enum: type === "string" && nullable ? [...values, null] : values },
    mistyped,
    [
      { says: `${values.join(", ")} are taken`, taken: values.map((value) => [value, value]) },
      {
        says: `${refused.map((value) => JSON.stringify(value)).join(", ")} are refused with enum`,
        refused: refused.map((value) => [value, "enum"]),
      },
    ],
  );
}

export function flag(path: string, more: More = { need: clears(false) }): Rule {
  return rule(path, "boolean", more, {}, [0, 1, "true", [true]], [
    { says: "true and false are accepted", taken: [[true, true], [false, false]] },
  ]);
}

/** An object, whose fields have rules of their own. */
export function group(path: string, need: Need): Rule {
  return { ...rule(path, "object", { need }, {}, ["x", 7, true, ["x"]], []), shown: path };
}

/** Ids of the caller's company; `foreign` are unknown ids and those of another company. */
export function ids(
  path: string,
  own: number,
  foreign: readonly number[],
  shown: string | typeof unseen,
): Rule {
  return rule(path, "array", { shown, need: clears([]) }, { maxItems: 200 }, [own, "x", { 0: own }], [
    { says: "an own id is accepted, and an empty list", taken: [[[own], [own]], [[], []]] },
    {
      says: "200 ids are accepted, also repeated, 201 are refused with max",
      taken: [[Array(200).fill(own), [own]]],
      refused: [[Array(201).fill(own), "max"]],
    },
    {
      says: "unknown ids and those of another company are refused with exists",
      refused: foreign.map((id) => [[own, id], "exists", `${path}[1]`]),
    },
    {
      says: "other forms than ids are refused with type",
      refused: [0, -1, 1.5, "1", null].map((id) => [[id], id === null ? "required" : "type", `${path}[0]`]),
    },
  ]);
}

/** An id. */
export function id(
  path: string,
  type: "integer" | "string",
  own: number | string,
  foreign: readonly (number | string)[],
  more: More = {},
): Rule {
  const mistyped = type === "integer" ? [0, -1, 1.5, "1", [own]] : ["x", "", 7, [own], `${own}0`];
  return rule(path, type, more, {}, mistyped, [
    { says: "an own id is accepted", taken: [[own, own]] },
    {
      says: "unknown ids and those of another company are refused with exists",
      refused: foreign.map((value) => [value, "exists"]),
    },
  ]);
}
