/** Generates useful filters: with values that records have, with values close to those, and with odd ones. */
import fc from "../../support/properties.ts";
import {
  type Condition,
  type Facts,
  formatStamp,
  type Node,
  type Scalar,
  selectsSubject,
  type Subject,
  type Terms,
} from "./evaluator.ts";
import { type Field, type Operator, operators } from "./fields.ts";

const nowhere = "01939c5e-7d3a-7c3f-8a55-0a4be5a1affe";
const relative = ["NOW", "NOW-1d", "NOW+3m", "NOW-2w", "NOW-1M", "NOW-13M", "NOW-1y", "NOW-90s", "NOW-36h"];
/** The most characters of a text in a filter. */
const mostCharacters = 255;

const oddTexts = ["", " ", "%", "_", "a%", "\\", "ss", "ß", "'", '"', "İ", "x".repeat(255), "NULL"];

/** Returns the values that the records have in each field, by the name of the field. */
export function collectValues(subjects: readonly Subject[], fields: Iterable<Field>): Map<string, Scalar[]> {
  const found = new Map<string, Scalar[]>();
  for (const field of fields) {
    const values = subjects.flatMap((subject) => listRecords(subject, field)).flatMap(({ values }) =>
      values[field.key] ?? []
    );
    found.set(field.name, [...new Set(values)]);
  }
  return found;
}

/** Returns every field with each of its operators. */
export function pairWithOperators(fields: Iterable<Field>): (readonly [Field, Operator])[] {
  return [...fields].flatMap((field) => operators[field.type].map((operator) => [field, operator] as const));
}

/** Generates a condition with this operator. */
export function makeCondition(
  field: Field,
  operator: Operator,
  known: readonly Scalar[],
): fc.Arbitrary<Condition> {
  const one = valueFor(field, operator, known);
  const value: fc.Arbitrary<Scalar | Scalar[]> = operator === "exists"
    ? fc.boolean()
    : operator === "in" || operator === "nin"
    ? fc.array(one, { maxLength: 4 })
    : one;
  return value.map((value) => ({ field: field.name, operator, value }));
}

/**
 * Generates a filter of up to three levels. Many of its lists are about a single record: conditions that it
 * meets, and some that it does not meet.
 */
export function makeFilter(
  fields: readonly Field[],
  subjects: readonly Subject[],
  known: ReadonlyMap<string, Scalar[]>,
  terms: Terms,
): fc.Arbitrary<Node[]> {
  const any = fc.constantFrom(...pairWithOperators(fields)).chain(([field, operator]) =>
    makeCondition(field, operator, known.get(field.name)!)
  );
  const leaves = fc.oneof(
    any.map((node) => [node]),
    fc.array(any, { minLength: 1, maxLength: 3 }),
    { arbitrary: fitting(fields, subjects), weight: 2 },
    { arbitrary: scatterConditions(fields, subjects, terms), weight: 2 },
  );
  const { nodes } = fc.letrec<{ nodes: Node[] }>((tie) => ({
    nodes: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaves,
      fc.tuple(leaves, tie("nodes")).map(([some, more]): Node[] => [...some, { or: more }]),
      fc.tuple(tie("nodes"), tie("nodes")).map(([one, two]): Node[] => [{ or: [...one, { and: two }] }]),
      fc.tuple(leaves, leaves, tie("nodes")).map(([one, two, more]): Node[] => [
        { or: [{ and: one }, { and: two }] },
        { and: more },
      ]),
    ),
  }));
  return nodes.filter((found) => found.length > 0);
}

/**
 * Generates conditions that records of one subject meet, mostly all of one root: either one record meets all
 * of them, or several records together do.
 */
function fitting(fields: readonly Field[], subjects: readonly Subject[]): fc.Arbitrary<Node[]> {
  const rooted = Map.groupBy(fields, ({ root }) => root);
  const some = fc.oneof({ arbitrary: fc.constantFrom(...rooted.values()), weight: 3 }, fc.constant(fields));
  return fc.tuple(fc.constantFrom(...subjects), some).chain(([subject, among]) => {
    const had = among.flatMap((field) =>
      field.kind !== null && (field.kind === "b2c") !== subject.b2c
        ? []
        : listRecords(subject, field).flatMap((record) =>
          (record.values[field.key] ?? []).filter((value) => String(value).length <= mostCharacters)
            .map((value) => ({ field, value }))
        )
    );
    if (had.length === 0) return fc.constant<Node[]>([]);
    const node = fc.constantFrom(...had).chain(({ field, value }) => {
      const met = operators[field.type].filter((each) => affirming.includes(each));
      return fc.constantFrom(...met).map((operator): Node => ({
        field: field.name,
        operator,
        value: operator === "in" ? [value] : value,
      }));
    });
    return fc.array(node, { minLength: 1, maxLength: 4 });
  }).filter((nodes) => nodes.length > 0);
}

/**
 * Generates pairs of conditions on one root: mostly, records of a subject meet each, but no single record
 * meets both. They expose a service that looks for each by itself.
 */
function scatterConditions(
  fields: readonly Field[],
  subjects: readonly Subject[],
  terms: Terms,
): fc.Arbitrary<Node[]> {
  const sources = subjects.flatMap((subject) => {
    const among = fields.filter(({ root, kind }) =>
      (subject.facts.below[root] ?? []).length > 0 && (kind === null || (kind === "b2c") === subject.b2c)
    );
    return [...Map.groupBy(among, ({ root }) => root).values()].map((ofRoot) => ({
      subject,
      had: ofRoot.flatMap((field) =>
        listRecords(subject, field).flatMap(({ values }) => values[field.key] ?? [])
          .filter((value) => String(value).length <= mostCharacters)
          .map((value): Node => ({ field: field.name, operator: "eq", value }))
      ),
    })).filter(({ had }) => had.length > 1);
  });
  if (sources.length === 0) return fitting(fields, subjects);
  return fc.constantFrom(...sources).chain(({ subject, had }) =>
    fc.array(fc.constantFrom(...had), { minLength: 2, maxLength: 6 }).map((some) => {
      const pairs = some.flatMap((one, n) => some.slice(n + 1).map((other) => [one, other]));
      return pairs.find((pair) => !selectsSubject(subject, pair, terms)) ?? pairs[0]!;
    })
  );
}

/** Operators that hold for a record with its own value. */
const affirming: readonly Operator[] = ["eq", "in", "sw", "ew", "ct", "gte", "lte"];

/** Operators that compare a whole text: a text of few choices is one of them. */
const wholes: readonly Operator[] = ["eq", "neq", "in", "nin"];

function listRecords(subject: Subject, { root, below }: Field): readonly Facts[] {
  const records = root === subject.root ? [subject.facts] : subject.facts.below[root] ?? [];
  return below === null ? records : records.flatMap((record) => record.below[below] ?? []);
}

function valueFor(field: Field, operator: Operator, known: readonly Scalar[]): fc.Arbitrary<Scalar> {
  const there = known.length > 0 ? fc.constantFrom(...known) : null;
  switch (field.type) {
    case "text":
      if (field.options.length > 0 && wholes.includes(operator)) {
        return fc.constantFrom(...field.options, ...field.options.map((option) => option.toUpperCase()));
      }
      return there === null
        ? fc.constantFrom(...oddTexts)
        : fc.oneof({ arbitrary: textLike(there, operator), weight: 4 }, fc.constantFrom(...oddTexts));
    case "reference":
    case "id":
      if (there !== null && ["sw", "ew", "ct", "nct"].includes(operator)) return textLike(there, operator);
      return fc.oneof(there ?? fc.constant<Scalar>(nowhere), fc.constant<Scalar>(nowhere));
    case "integer":
    case "number": {
      const odd = fc.constantFrom<Scalar>(0, -1, field.type === "integer" ? 7 : 1.25, 2 ** 40);
      return there === null ? odd : fc.oneof(
        there,
        there.chain((value) => fc.constantFrom<Scalar>(Number(value) + 1, Number(value) - 1)),
        odd,
      );
    }
    case "boolean":
      return fc.boolean();
    case "timestamp":
      return datesLike(there, 1000, (text) => text);
    case "day":
      return datesLike(there, 86_400_000, (text) => text.slice(0, 10));
    default:
      return there === null
        ? fc.constantFrom(...field.options)
        : fc.oneof(there, fc.constantFrom(...field.options));
  }
}

function textLike(there: fc.Arbitrary<Scalar>, operator: Operator): fc.Arbitrary<Scalar> {
  return fc.tuple(there, fc.nat(4), fc.nat(3)).map(([value, how, cut]) => {
    const text = String(value);
    const start = [...text].slice(0, cut + 1).join("");
    const part = operator === "ew" ? [...text].slice(-cut - 1).join("") : start;
    const middle = [...text].slice(1, cut + 2).join("");
    const short = operator === "sw" || operator === "ew" ? part : operator === "ct" ? middle : text;
    switch (how) {
      case 0:
        return text;
      case 1:
        return short.toUpperCase();
      case 2:
        return `${short}x`;
      case 3:
        return short.normalize("NFKD").replace(/\p{M}/gu, "");
      default:
        return short.toLowerCase();
    }
  }).map((text) => [...text].slice(0, mostCharacters).join(""));
}

/**
 * Generates dates at the values, one step away from them, and relative dates. `shape` cuts a date to the
 * format of the field.
 */
function datesLike(
  there: fc.Arbitrary<Scalar> | null,
  step: number,
  shape: (text: string) => string,
): fc.Arbitrary<Scalar> {
  const odd = fc.constantFrom<Scalar>(...relative, "1999-12-31 23:59:59");
  if (there === null) return odd;
  const near = fc.tuple(there, fc.constantFrom(-1, 0, 0, 1), fc.boolean()).map(([value, steps, written]) => {
    const ms = Date.parse(
      `${String(value).replace(" ", "T")}${String(value).length > 10 ? "" : "T00:00:00"}Z`,
    );
    const text = formatStamp(ms + steps * step);
    return written ? text : shape(text);
  });
  return fc.oneof({ arbitrary: near, weight: 2 }, odd);
}
