import assert from "node:assert/strict";
import { and, count, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { drizzle, inList, type Param, prepareQuery, same } from "../../src/db/prepared_statements.ts";
import { sql as text } from "../../src/db/statements.ts";
import { leases } from "../../src/db/tables.ts";
import { users } from "../../src/identity/users/record.ts";
import { onEachEngine } from "../support/engines.ts";

const userByName = prepareQuery((companyId: Param<number>, name: Param<string>) =>
  drizzle.select({ id: users.id, last_name: users.last_name }).from(users)
    .where(
      and(
        eq(users.first_name, name),
        eq(users.company_id, companyId),
        isNull(users.deleted_at),
      ),
    )
    .limit(1)
);

Deno.test("values are bound by position, and the text is always the same", () => {
  const [first, second] = [
    userByName(7, "Ada"),
    userByName(8, "'; drop table users"),
  ];
  assert.equal(first.sql, second.sql);
  assert.equal(
    first.sql,
    'select "id", "last_name" from "users" where ("users"."first_name" = ? and "users"."company_id" = ? and ' +
      '"users"."deleted_at" is null) limit 1',
  );
  assert.deepEqual([first.args, second.args], [["Ada", 7], [
    "'; drop table users",
    8,
  ]]);
});

Deno.test("a value that is used several times is bound each time", () => {
  const named = prepareQuery((name: Param<string>) =>
    drizzle.select({ id: users.id }).from(users).where(
      or(eq(users.first_name, name), eq(users.last_name, name)),
    )
  );
  assert.deepEqual(named("Ada").args, ["Ada", "Ada"]);
});

Deno.test("constants become part of the text, quoted", () => {
  const owners = prepareQuery((after: Param<number>) =>
    drizzle.select({ n: count().as("n") }).from(users)
      .where(
        and(
          eq(users.last_name, "O'Hara ?"),
          eq(users.user_type, 1),
          gt(users.id, after),
        ),
      )
  );
  assert.match(
    owners(3).sql,
    /"last_name" = 'O''Hara \?' and .*"user_type" = 1 and .*"id" > \?/,
  );
  assert.deepEqual(owners(3).args, [3]);
});

Deno.test("a bound limit is an expression, so that SQLite does not plan again at each call", () => {
  const page = prepareQuery((limit: Param<number>, offset: Param<number>) =>
    drizzle.select({ id: users.id }).from(users).orderBy(desc(users.id)).limit(
      limit,
    ).offset(offset)
  );
  assert.match(page(5, 10).sql, / limit \? \+ 0 offset \? \+ 0$/);
  assert.deepEqual(page(5, 10).args, [5, 10]);
});

Deno.test("a selected column whose key is not its name, or an expression without an alias, is refused", () => {
  const renamed = prepareQuery((id: Param<number>) =>
    drizzle.select({ userId: users.id }).from(users).where(eq(users.id, id))
  );
  assert.throws(() => renamed(1), /the selected column userId has the name id/);
  const returned = prepareQuery((id: Param<number>) =>
    drizzle.delete(users).where(eq(users.id, id)).returning({
      userId: users.id,
    })
  );
  assert.throws(
    () => returned(1),
    /the selected column userId has the name id/,
  );
  const counted = prepareQuery((id: Param<number>) =>
    drizzle.select({ n: count() }).from(users).where(eq(users.id, id))
  );
  assert.throws(
    () => counted(1),
    /the selected column n has the name of its expression/,
  );
});

Deno.test("names of columns and types of values and rows are checked by the compiler", () => {
  const checkTypes = () => {
    // @ts-expect-error: no column of this name
    prepareQuery(() => drizzle.select({ id: users.idd }).from(users));
    // @ts-expect-error: no value of this type
    userByName("7", "Ada");
    // @ts-expect-error: a value is missing
    userByName(7);
    // @ts-expect-error: not selected
    userByName.row(undefined)?.email;
    // @ts-expect-error: a name is text
    userByName.row(undefined)?.last_name satisfies number | undefined;
    const names = sql.placeholder("0") as Param<readonly string[]>;
    // @ts-expect-error: ids are numbers
    inList(users.id, names);
    const lease = drizzle.insert(leases);
    // @ts-expect-error: the column takes text
    lease.values({ name: 1, holder: "", until: 0 });
  };
  assert.equal(typeof checkTypes, "function");
});

onEachEngine(
  "statements of all kinds run, with null and lists as values",
  async ({ db }) => {
    await db.script(
      "create table leases (name text primary key, holder text not null, until integer not null)",
    );
    const add = prepareQuery((
      name: Param<string>,
      holder: Param<string>,
      until: Param<number>,
    ) =>
      drizzle.insert(leases).values({ name, holder, until })
        .onConflictDoNothing()
    );
    const prolong = prepareQuery((
      until: Param<number>,
      names: Param<readonly string[]>,
    ) =>
      drizzle.update(leases).set({ until: sql`${until}` }).where(
        inList(leases.name, names),
      )
    );
    const heldBy = prepareQuery((holder: Param<string | null>) =>
      drizzle.select().from(leases).where(same(leases.holder, holder))
    );
    const drop = prepareQuery((name: Param<string>) =>
      drizzle.delete(leases).where(eq(leases.name, name)).returning({
        name: leases.name,
      })
    );
    const changes = await db.write([
      add("a", "x", 1),
      add("b", "x", 1),
      add("b", "y", 2),
      prolong(9, ["b", "c'"]),
      prolong(10, []),
      drop("a"),
    ]);
    assert.deepEqual(changes.slice(0, 5).map((result) => result.changes), [
      1,
      1,
      0,
      1,
      0,
    ]);
    assert.deepEqual(drop.rows(changes[5]), [{ name: "a" }]);
    const [held, none, some] = await db.read([
      heldBy("x"),
      heldBy(null),
      text`select exists (${heldBy("x")}) as there`,
    ]);
    assert.deepEqual(heldBy.rows(held), [{ name: "b", holder: "x", until: 9 }]);
    assert.deepEqual([heldBy.row(none), some!.rows[0]!.there], [null, 1]);
  },
);
