import assert from "node:assert/strict";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import {
  computed,
  internal,
  numberedId,
  optionalFlag,
  optionalLine,
  readOnly,
  requiredLine,
  stamps,
  versioned,
  writeOnly,
} from "../../src/records/kinds.ts";
import {
  columns,
  forAnswer,
  forChange,
  forCreate,
  type Initial,
  makeChanges,
  makeInitial,
  type Members,
  presenter,
} from "../../src/records/members.ts";

const members = {
  id: numberedId(4),
  company_id: internal(integer().notNull()),
  name: requiredLine(20, { example: "Van" }),
  sku: optionalLine(5, { description: "The article number." }),
  kind: {
    ...optionalLine(20),
    column: text().notNull().default("plain"),
    shown: z.string(),
    otherwise: "plain",
  },
  hidden: optionalFlag(),
  sizes: {
    column: text().notNull().default("[]"),
    shown: z.array(z.int()),
    create: z.array(z.int()).nullish(),
    change: z.array(z.int()).nullish(),
    otherwise: "[]",
    stored: "json",
  },
  place: {
    column: text(),
    shown: z.object({ code: z.string() }).nullable(),
    create: z.string().nullish(),
    change: z.string().nullish(),
    stored: "code",
  },
  related: { ...computed(z.array(z.int())), ...writeOnly(z.array(z.int()).optional()) },
  author: readOnly(integer(), z.int().nullable()),
  ...stamps(),
  ...versioned,
} satisfies Members;

const vans = sqliteTable("vans", columns(members));
const Van = z.object(forAnswer(members));
const VanBody = z.object(forCreate(members, "hidden", "sku"));
const VanChange = z.object(forChange(members));
const presentVan = presenter(members, Van);

type Row = typeof vans.$inferSelect;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : never;
/** Compiles only if both types are the same. */
const same = <A, B>(_: Same<A, B>) => {};

const row: Row = {
  id: 7,
  company_id: 1,
  name: "Van",
  sku: null,
  kind: "plain",
  hidden: 1,
  sizes: "[3]",
  place: "DE",
  author: null,
  created_at: "2026-01-31 10:00:00",
  updated_at: "2026-01-31 10:00:00",
  version: 2,
};

Deno.test("a table has the columns of the members, with their types", () => {
  assert.deepEqual(Object.keys(columns(members)).length, 12);
  same<Row["name"], string>(true);
  same<Row["sku"], string | null>(true);
  same<Row["version"], number>(true);
});

Deno.test("answers and bodies have their members in the order of the map, after those named first", () => {
  assert.deepEqual(Object.keys(Van.shape), [
    "id",
    "name",
    "sku",
    "kind",
    "hidden",
    "sizes",
    "place",
    "related",
    "author",
    "created_at",
    "updated_at",
  ]);
  assert.deepEqual(Object.keys(VanBody.shape), [
    "hidden",
    "sku",
    "name",
    "kind",
    "sizes",
    "place",
    "related",
  ]);
  assert.deepEqual(Object.keys(VanChange.shape), [
    "name",
    "sku",
    "kind",
    "hidden",
    "sizes",
    "place",
    "related",
  ]);
  same<z.output<typeof VanBody>["name"], string>(true);
  same<z.output<typeof VanChange>["name"], string | undefined>(true);
  same<z.output<typeof VanBody>["sku"], string | null | undefined>(true);
});

Deno.test("a new record has the values of the body as its columns store them, or their other values", () => {
  const initial = makeInitial(members, VanBody.parse({ name: "Van", hidden: true, sizes: [3], place: "DE" }));
  assert.deepEqual(initial, {
    name: "Van",
    sku: null,
    kind: "plain",
    hidden: 1,
    sizes: "[3]",
    version: 1,
  });
  same<Initial<typeof members>["name"], string>(true);
  same<Initial<typeof members>["sku"], string | null>(true);
  same<keyof Initial<typeof members>, "name" | "sku" | "kind" | "hidden" | "sizes" | "version">(true);
  assert.deepEqual(
    makeInitial(members, VanBody.parse({ name: "Van", sku: "A-1", kind: null, hidden: null })),
    { name: "Van", sku: "A-1", kind: "plain", hidden: 0, sizes: "[]", version: 1 },
  );
});

Deno.test("a change keeps what its body leaves out, and null clears or resets it", () => {
  const kept = { name: "Van", sku: null, kind: "plain", hidden: 1, sizes: "[3]" };
  const before = { ...row, place: "FR" };
  assert.deepEqual(makeChanges(members, {}, before), kept);
  const body = VanChange.parse({ sku: "A-1", hidden: null, sizes: null, place: "DE" });
  const changes = makeChanges(members, body, before);
  assert.deepEqual(changes, { ...kept, sku: "A-1", hidden: 0, sizes: "[]" });
  same<keyof typeof changes, "name" | "sku" | "kind" | "hidden" | "sizes">(true);
});

Deno.test("a presenter shows the members of the answer, decoded, and nothing else", () => {
  const answer = presentVan({ ...row, place: { code: "DE" }, related: [1, 2] });
  assert.deepEqual(
    JSON.stringify(answer),
    JSON.stringify({
      id: 7,
      name: "Van",
      sku: null,
      kind: "plain",
      hidden: true,
      sizes: [3],
      place: { code: "DE" },
      related: [1, 2],
      author: null,
      created_at: "2026-01-31 10:00:00",
      updated_at: "2026-01-31 10:00:00",
    }),
  );
  same<typeof answer.hidden, boolean>(true);
  assert.deepEqual(Van.parse(answer), answer as z.output<typeof Van>);
});

Deno.test("an id that the batch assigns is 0 until then", () => {
  const answer = presentVan({ ...row, id: null, place: null, related: [] });
  assert.deepEqual(JSON.stringify(answer).startsWith('{"id":0,'), true);
});
