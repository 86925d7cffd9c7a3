import assert from "node:assert/strict";
import { findRightEntry } from "../../src/core/rights.ts";
import { isRight, type Right } from "../../src/core/rights.ts";
import type { Endpoint } from "../../src/http/endpoint.ts";
import { type Reply, send, type TestApp } from "../support/app.ts";
import { isException } from "./exceptions.ts";
import { columns, type Line, matrix, readMatrix, type Who } from "./matrix.ts";
import { type Call, samples } from "./samples.ts";
import { type Around, situations } from "./situations.ts";
import { type Callers, places, stand, type Standing, type Where } from "./standing.ts";
import { assertProblem, endpoints, fillPath, startApp, watchDatabase, type Witness } from "./sweep.ts";
import { takeSample } from "../support/sample.ts";

const lines = readMatrix(matrix, columns);

Deno.test("every operation has a line in the matrix of callers, and every line its operation", () => {
  const operations = endpoints.map(({ declared }) => declared.operation);
  const written = new Set(lines.map(({ operation }) => operation));
  const missing = operations.filter((operation) => !written.has(operation));
  assert.deepEqual(
    missing,
    [],
    `Say in the table of tests/sweep/matrix.ts who may call them, in lines such as\n` +
      missing.map((operation) => `${operation.padEnd(36)} 401    403     403    200 …`).join("\n") +
      `\n(columns: ${columns.join(" ")}; a right that is not a default one needs a line with +right, too)`,
  );
  assert.deepEqual([...written].filter((operation) => !operations.includes(operation)), []);
  const keys = lines.map(({ operation, words }) => [operation, ...words].join(" "));
  assert.deepEqual(keys.filter((key, index) => keys.indexOf(key) !== index), []);
});

Deno.test("every operation answers each caller as the matrix says; a refusal changes nothing, and a 403 names what is missing", async () => {
  await using app = await startApp();
  const standing = await stand(app);
  await using database = watchDatabase(app);
  const wrong: string[] = [];
  for (const line of takeLines()) {
    // Deleting a company also ends its callers, so this line gets callers of its own.
    const around = line.operation === "deleteCompany" ? await stand(app) : standing;
    const { actual, faults } = await callLine(app, database, around, line);
    if (actual.join() !== line.expected.join()) wrong.push(differing(line, actual));
    wrong.push(...faults);
  }
  assert.equal(wrong.length, 0, `\n${columns.join(" ")}\n${wrong.join("\n")}\n`);
  assert.deepEqual(app.log.entries.filter((entry) => entry.level === "error"), []);
  assert.deepEqual([...compared.keys()].sort(), Object.values(explainable).sort(), "all were explained");
});

Deno.test("a matrix with a line that is not whole, or columns of its own, is refused", () => {
  const header = columns.join(" ");
  const statuses = columns.map(() => 401).join(" ");
  assert.deepEqual(readMatrix(`${header}\n# About\ngetMe own +x ${statuses}\n`, columns)[0]?.words, [
    "own",
    "+x",
  ]);
  for (const row of [`getMe ${statuses} 200`, "getMe 200", `getMe ${statuses.replace("401", "none")}`]) {
    assert.throws(() => readMatrix(`${header}\n${row}`, columns), /A line needs/, row);
  }
  assert.throws(() => readMatrix(`user ${header}\n`, columns), /The columns/);
});

/** The lines of the sample, and those of operations that `explainAccess` speaks of: all of these are compared. */
function takeLines(): readonly Line[] {
  const taken = new Set(takeSample(lines));
  return lines.filter((line) => taken.has(line) || explainable[line.operation]);
}

/** Returns the statuses of a line, by column, and other faults. */
async function callLine(app: TestApp, database: Witness, standing: Standing, line: Line) {
  const { where, right, trusted, allowed, key } = parseSituation(line);
  const endpoint = endpoints.find(({ declared }) => declared.operation === line.operation)!;
  const callers = await standing.callers(right, trusted);
  if (allowed) await standing.allow(true);
  const actual: number[] = [];
  const faults: string[] = [];
  let ready: Call | null = null;
  for (const who of columns) {
    const call: Call = ready ?? await makeCall(standing, where, key, callers, who);
    const place = standing.at[where];
    const path = fillPath(endpoint.declared.path, place, call) + (call.query ? `?${call.query}` : "");
    const method = endpoint.declared.method.toUpperCase();
    await app.idle();
    database.changed();
    const reply = await send(app.url + path, method, callers[who].token, call.body);
    actual.push(reply.status);
    // A refused call and a GET use up nothing, so the next caller sends it again. Calls about the caller are
    // built for each caller.
    const usesNothing = reply.status >= 400 || method === "GET";
    ready = usesNothing && !line.words.includes("self") ? call : null;
    if (reply.status >= 400) {
      assertProblem(reply, `${line.text} ${who}`);
      const counted = reply.status === 404 && isException(line.operation, "unchanged");
      if (database.changed() && !counted) {
        faults.push(`${line.text}\n  ${who}: refused, but something was written`);
      }
    }
    const fault = await compareExplanation(app, callers, who, line.operation, path, reply.status === 200);
    if (fault) faults.push(`${line.text}\n  ${who}: ${fault}`);
    const unnamed = reply.status === 403 ? unnamedIn(reply, endpoint, who, { trusted, right }) : null;
    if (unnamed) faults.push(`${line.text}\n  ${who}: ${unnamed} is not named in ${reply.body.detail}`);
  }
  if (allowed) await standing.allow(false);
  return { actual, faults };
}

/** The kinds of records whose GET `explainAccess` speaks of, by its operation. */
const explainable: Readonly<Record<string, string>> = {
  getAccount: "accounts",
  getContact: "contacts",
  getCase: "cases",
  getLead: "leads",
  getNote: "notes",
  getFile: "files",
  getCampaign: "campaigns",
  getAutomatedCommunication: "automated-communications",
  getTemplate: "templates",
};
const users: readonly Who[] = ["user", "team_admin", "group_admin", "admin"];

/** Returns how the explanation of a user's access differs from what the GET did; null: it agrees. */
async function compareExplanation(
  app: TestApp,
  callers: Callers,
  who: Who,
  operation: string,
  path: string,
  isShown: boolean,
): Promise<string | null> {
  const entity = explainable[operation];
  if (!entity || !users.includes(who)) return null;
  const record = path.split("?")[0]!.split("/").at(-1)!;
  const query = new URLSearchParams({ user_id: String(callers[who].id), entity, id: record });
  const { status, body } = await send(
    `${app.url}/v1/access/explain?${query}`,
    "GET",
    callers.admin.token,
  );
  const why = `${status} ${body.rule ?? body.code}`;
  compared.set(entity, (compared.get(entity) ?? 0) + 1);
  return status === 200 && body.visible === isShown ? null : `the explanation is ${why}`;
}

/** How often explanations were compared, by kind. */
const compared = new Map<string, number>();

async function makeCall(
  standing: Standing,
  where: Where,
  key: string,
  callers: Callers,
  who: Who,
): Promise<Call> {
  const place = standing.at[where];
  const withUser = ["user", "team_admin", "group_admin"].includes(who) ? who : "admin";
  const { id, token } = callers[withUser];
  const around: Around = {
    place,
    caller: { id, token: token! },
    team: where === "shared" ? null : place.ids.team_id,
    near: standing.teams.near,
    far: standing.teams.far,
  };
  const situation = situations[key];
  if (situation) return await situation(around);
  const sample = samples[key];
  assert.ok(sample, `tests/sweep/situations.ts does not say how to call "${key}"`);
  return await sample(place);
}

/** Parses the words of a line. */
function parseSituation({ operation, words }: Line) {
  const rest = [...words];
  const take = (word: string) => {
    const index = rest.indexOf(word);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  };
  const where = places.find(take) ?? "own";
  const [trusted, allowed] = [take("trusted"), take("allowed")];
  const given = rest.find((word) => word.startsWith("+"));
  if (given) take(given);
  const name = given?.slice(1) ?? null;
  assert.ok(name === null || isRight(name), `There is no right ${name}`);
  return { where, trusted, allowed, right: name as Right | null, key: [operation, ...rest].join(" ") };
}

/** Returns what the detail of a 403 should name but does not, or null if it names it. */
function unnamedIn(
  { body }: Reply,
  { access, declared }: Endpoint,
  who: Who,
  { trusted, right }: { readonly trusted: boolean; readonly right: Right | null },
): string | null {
  const detail: string = body.detail;
  const nameUnmatched = (form: RegExp, what: string) => form.test(detail) ? null : what;
  if (access === "user" && (who === "client" || who === "trusted")) {
    return nameUnmatched(/A user is required/, "the user");
  }
  if (access === "trusted" || declared.trusted && !trusted) {
    return nameUnmatched(/A trusted client/, "the trust");
  }
  // Every caller has the default rights.
  const { right: needed } = declared;
  const lacksRight = needed !== undefined && needed !== right && !findRightEntry(needed).default &&
    who !== "admin";
  if (lacksRight) return nameUnmatched(new RegExp(`right ${needed} `), needed);
  // The user type, or something that callers of this type may not use: a user, a team, a role, a disabled
  // setting.
  return nameUnmatched(/admin|user|team|role|right [\w.]+ is missing|password|setting/, "what is missing");
}

/** Returns the line with the received and the expected status of each wrong column. */
function differing({ text, expected }: Line, actual: readonly number[]): string {
  const marks = columns.flatMap((who, index) =>
    actual[index] === expected[index] ? [] : [`${who}: ${actual[index]} for ${expected[index]}`]
  );
  return `${text}\n  ${marks.join(", ")}`;
}
