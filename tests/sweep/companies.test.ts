import assert from "node:assert/strict";
import { makeId } from "../../src/core/ids.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { send, type TestApp } from "../support/app.ts";
import { fill, type Ids, type Place } from "./place.ts";
import { type Call, samples } from "./samples.ts";
import {
  assertProblem,
  endpoints,
  fillPath,
  isSuccess,
  prepare,
  prepareSample,
  sendPrepared,
  startApp,
  startFilled,
  sweep,
  takeRecords,
  tokenFor,
  watchDatabase,
  withQuery,
  type Witness,
} from "./sweep.ts";
import { isWhole, takeSample } from "../support/sample.ts";

/** Parameters that belong to no company: kinds of records, and names that callers choose themselves. */
const ownerless = ["belongs_to", "owner_type", "external_id", "device_token", "template_type", "entity"];

const tried = takeSample(endpoints);
const withParams = tried.filter(({ declared }) => declared.path.includes(":"));
/**
 * Operations of users whose path names a record. Operations with a secret of their own are left out: they are
 * open to every holder of the secret, from any company.
 */
const ofUsers = withParams.filter(({ declared, access }) =>
  access === "user" && recordsIn(declared.path).length > 0
);
const withBody = tried.filter(({ declared, access }) => declared.body && access === "user");
const reading = tried.filter(({ declared }) => declared.method === "get");

/** What a view keeps of its list's parameters selects nothing, as it does in the list's own query. */
const ofLists: Readonly<Record<string, string>> = { createView: "query.", changeView: "query." };

/** Two companies with records of every kind. */
interface Two {
  readonly app: TestApp;
  readonly own: Place;
  readonly other: Place;
  readonly database: Witness;
  /** Returns a right call in `own`. Refused calls use up nothing, so all steps share one an operation. */
  callOf(endpoint: Endpoint): Promise<Call>;
}

Deno.test("ids of another company are as if they named nothing", async (t) => {
  await using app = await startApp();
  await using database = watchDatabase(app);
  const own = await fill(app);
  const calls = new Map<string, Call>();
  const makeCall: Two["callOf"] = async ({ declared: { operation } }) => {
    let made = calls.get(operation);
    if (!made) {
      calls.set(operation, made = await samples[operation]!(own));
      await app.idle();
    }
    return made;
  };
  const two: Two = { app, own, other: await fill(app), database, callOf: makeCall };
  await t.step(
    "ids of another company in the path are 404, each by itself and all together, and change nothing",
    (t) => sendForeignPaths(t, two),
  );
  await t.step("ids that name nothing are 404", (t) => sendUnknownPaths(t, two));
  await t.step(
    "ids of another company in a body are 422 where they stand, as if they named nothing, and change nothing",
    (t) => sendForeignBodies(t, two),
  );
  await t.step(
    "a successor of another company is 422, as if there were none, and changes nothing",
    (t) => sendForeignSuccessors(t, two),
  );
});

async function sendForeignPaths(
  t: Deno.TestContext,
  { app, own, other, database, callOf }: Two,
): Promise<void> {
  await sweep(t, ofUsers, app, async (endpoint, at) => {
    const { declared } = endpoint;
    const call = await callOf(endpoint);
    const foreign = await samples[declared.operation]!(other);
    await app.idle();
    database.changed();
    const names = recordsIn(declared.path);
    const theirs: Call["params"] = { ...other.ids, ...foreign.params };
    const choices = [...names.map((name) => [name]), names];
    for (const chosen of choices) {
      const swapped = Object.fromEntries(chosen.map((name) => [name, theirs[name]]));
      const path = fillPath(declared.path, own, { params: { ...call.params, ...swapped } });
      const method = declared.method.toUpperCase();
      const reply = await send(app.url + path, method, tokenFor(own, endpoint), call.body);
      assert.equal(reply.status, 404, `${at} with their ${chosen}: ${reply.text}`);
      assertProblem(reply, at);
      assert.equal(database.changed(), false, at);
    }
  });
}

/** The parameters that name a record. */
function recordsIn(path: string): (keyof Ids)[] {
  const names = [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  return names.filter((name) => !ownerless.includes(name)) as (keyof Ids)[];
}

async function sendUnknownPaths(t: Deno.TestContext, { app, own, callOf }: Two): Promise<void> {
  await sweep(t, withParams, app, async (endpoint, at) => {
    const { declared } = endpoint;
    const call = await callOf(endpoint);
    for (const [name, form] of Object.entries(declared.params ?? {})) {
      // The parameter names the record that the call creates.
      if (name === "external_id" || declared.operation === "registerDevice") continue;
      const id = form === "uuid" ? makeId() : Number.MAX_SAFE_INTEGER;
      const path = fillPath(declared.path, own, { params: { ...call.params, [name]: id } });
      const reply = await send(
        app.url + path,
        declared.method.toUpperCase(),
        tokenFor(own, endpoint),
        call.body,
      );
      assert.equal(reply.status, 404, `${at} with ${name} ${id}: ${reply.text}`);
      assertProblem(reply, at);
    }
  });
}

async function sendForeignBodies(
  t: Deno.TestContext,
  { app, own, other, database, callOf }: Two,
): Promise<void> {
  const theirs = counterparts(own, other);
  let swaps = 0;
  await sweep(t, withBody, app, async (endpoint, at) => {
    const call = prepareSample(own, endpoint, await callOf(endpoint));
    await app.idle();
    database.changed();
    const whole = named[endpoint.declared.operation]?.(own) ?? {};
    const ofList = ofLists[endpoint.declared.operation];
    for (const { path, body } of swapIds(call.body && { ...Object(call.body), ...whole }, theirs)) {
      if (ofList && path.startsWith(ofList)) continue;
      const reply = await sendPrepared(app.url, { ...call, body });
      assert.equal(reply.status, 422, `${at} with their ${path}: ${reply.text}`);
      assertProblem(reply, at);
      const errors: { path: string; code: string }[] = reply.body.errors;
      const named = errors.find((error) => error.path === path || path.startsWith(error.path));
      assert.equal(named?.code, "exists", `${at} ${path}: ${reply.text}`);
      assert.equal(database.changed(), false, `${at} ${path}`);
      swaps++;
    }
  });
  assert.ok(swaps > (isWhole ? 20 : 0), `only ${swaps} ids were tried`);
}

async function sendForeignSuccessors(
  t: Deno.TestContext,
  { app, own, other, database, callOf }: Two,
): Promise<void> {
  const passing = endpoints.filter(({ declared }) => Object.hasOwn(successorIds, declared.operation));
  assert.equal(passing.length, Object.keys(successorIds).length);
  await sweep(t, passing, app, async (endpoint, at) => {
    const call = prepareSample(own, endpoint, await callOf(endpoint));
    await app.idle();
    database.changed();
    const successor = other.ids[successorIds[endpoint.declared.operation]!];
    const reply = await sendPrepared(app.url, {
      ...call,
      path: `${call.path.split("?")[0]}?assign_to=${successor}`,
    });
    assert.equal(reply.status, 422, `${at}: ${reply.text}`);
    assert.deepEqual(codes(reply.body.errors), ["query.assign_to exists"], at);
    assert.equal(database.changed(), false, at);
    const right = await sendPrepared(app.url, call);
    assert.equal(right.status, 204, right.text);
  });
}

Deno.test("no answer shows a record of another company", async (t) => {
  await using filled = await startFilled();
  const { app, made: own } = filled;
  const other = await fill(app);
  const uuids = Object.values(other.ids).filter((id) => typeof id === "string");
  const query = `per_page=100`;
  await sweep(t, reading, app, async (endpoint, at) => {
    const call = await prepare(own, endpoint);
    const reply = await sendPrepared(app.url, { ...call, path: withQuery(call.path, query) });
    for (const id of uuids) assert.ok(!reply.text.includes(id), at);
    const theirs = await prepare(other, endpoint);
    const same = await sendPrepared(app.url, { ...theirs, path: withQuery(theirs.path, query) });
    assert.ok(isSuccess(same), at);
    if (reply.body?.pagination) {
      assert.equal(reply.body.pagination.total, takeRecords(reply.body).length, at);
      const ids = new Set(takeRecords(same.body).map(getId));
      assert.deepEqual(takeRecords(reply.body).filter((item: Item) => ids.has(getId(item))), [], at);
    }
  });
});

/** Ids that the samples leave out. */
const named: Readonly<Record<string, (place: Place) => object>> = {
  createUser: ({ ids }) => ({ role_ids: [ids.role_id] }),
  createInvitation: ({ ids }) => ({ role_ids: [ids.role_id], team_ids: [ids.team_id] }),
  updateUser: ({ ids }) => ({ role_ids: [ids.role_id] }),
};

/** By operation, the kind of id that the parameter `assign_to` takes. */
const successorIds: Readonly<Record<string, keyof Ids>> = { deleteUser: "user_id", deleteTeam: "team_id" };

const codes = (errors: { path: string; code: string }[]) => errors.map(({ path, code }) => `${path} ${code}`);

type Item = Readonly<Record<string, unknown>>;

/** Returns the identifier of a record. */
function getId(item: Item): unknown {
  // A fault of a file has no id; each file of the samples has another one.
  const id = item.id ?? item.client_id ?? item.token ?? (item.row && JSON.stringify(item));
  assert.notEqual(id, undefined);
  return id;
}

/**
 * Maps own ids to ids of the same kind in the other company. Maps numbers by their kind, because they may
 * coincide.
 */
function counterparts(own: Place, other: Place): (key: string, value: unknown) => unknown {
  const kinds = Object.keys(own.ids) as (keyof Ids)[];
  const uuids = new Map<unknown, unknown>(
    kinds.filter((kind) => typeof own.ids[kind] === "string").map((kind) => [own.ids[kind], other.ids[kind]]),
  );
  uuids.set(own.milestone, other.milestone);
  uuids.set(own.world.path, other.world.path);
  uuids.set(own.world.type, other.world.type);
  return (key, value) => {
    if (typeof value === "string") return uuids.get(value);
    if (typeof value !== "number") return undefined;
    if (/team_ids?$|^teams$/.test(key)) return other.ids.team_id;
    if (/user_ids?$|^users$/.test(key)) return other.ids.user_id;
    if (/group_ids?$/.test(key)) return other.ids.group_id;
    if (/role_ids?$/.test(key)) return other.ids.role_id;
    if (key === "id" && value === own.ids.category_id) return other.ids.category_id;
    return undefined;
  };
}

/** Returns a copy of the body for each id in it, with this id replaced. */
function swapIds(
  body: unknown,
  theirs: (key: string, value: unknown) => unknown,
  key = "",
  path = "",
): { path: string; body: unknown }[] {
  if (Array.isArray(body)) {
    return body.flatMap((item, index) =>
      swapIds(item, theirs, key, `${path}[${index}]`).map((one) => ({
        ...one,
        body: body.with(index, one.body),
      }))
    );
  }
  if (body !== null && typeof body === "object") {
    return Object.entries(body).flatMap(([name, value]) =>
      swapIds(value, theirs, name, path === "" ? name : `${path}.${name}`)
        .map((one) => ({ ...one, body: { ...body, [name]: one.body } }))
    );
  }
  const found = theirs(key, body);
  return found === undefined ? [] : [{ path, body: found }];
}
