/** Queries without the scope of their caller, which count, sum or list records that the caller does not see. */
import assert from "node:assert/strict";
import { type Right, rights } from "../../src/core/rights.ts";
import type { Actor, Reply, TestApp } from "../support/app.ts";
import { isWhole, takeSample } from "../support/sample.ts";
import { fill, type Place } from "./place.ts";
import { makeRecords } from "./standing.ts";
import { countTables, endpoints, keptText, prepare, type Prepared, sendPrepared, startApp } from "./sweep.ts";
import { makeBeside } from "./unseen.ts";

const reading = takeSample(endpoints.filter(({ writes, access }) => !writes && access === "user"));
const isTried = (operation: string) => reading.some(({ declared }) => declared.operation === operation);

/** Operations that show something of records of teams that the caller does not see, each with its reason. */
const showing: Readonly<Record<string, string>> = {
  getAccountDeleteImpact: "It counts all that goes with the account.",
  getContactDeleteImpact: "It counts all that goes with the contact.",
  getFileUsage: "All files of a company share its quota.",
  listAssignableTeams: "The agency compares the open cases of all dealers.",
};

/**
 * Operations about a record that only its maker sees, and none of a member's: the sample's is the admin's. The admin
 * reads it beside another company.
 */
const ofMaker: readonly string[] = [
  "getReportExport",
  "getScheduledReport",
  "getReportDelivery",
  "getDelivery",
  "getWebhook",
  "listDeliveries",
  "getImport",
  "listImportErrors",
  "downloadImportErrors",
  "listImportKept",
  "getExport",
];

/** What differs in any two answers to one call, by operation, each with its reason. */
const differing: Readonly<Record<string, { readonly part: RegExp; readonly reason: string }>> = {
  batch: { part: /"x-request-id":"[^"]+"/, reason: "The call in it has an id." },
  listEvents: { part: /"next":"[^"]+"/, reason: "It is a place in the events of all companies." },
  previewTemplate: { part: /"download_url":"[^"]+"/, reason: "Each preview has a link." },
};

/**
 * Tables without rows of a team, and two more: `recent_records` has one row of each user, and only the maker of an
 * import reads its rows of `import_kept`.
 */
const withoutTeam: readonly string[] = [
  ...["migrations", "caller_changes", "fact_moments", "key_checks", "case_numbers", "file_usage"],
  ...["companies", "groups", "teams", "team_members", "users", "user_roles", "roles", "role_rights"],
  ...["applications", "access_tokens", "campaign_settings", "refusals", "recent_records", "import_kept"],
  ...["product_categories", "products", "products_in_categories", "related_products"],
];

interface Viewer {
  readonly name: string;
  readonly token: string;
  /** The token of a trusted client. */
  readonly trusted: string;
}

/** By operation and viewer. */
type Answers = ReadonlyMap<string, string>;

interface Change {
  readonly operation: string;
  readonly who: string;
  readonly was: string;
  readonly is: string;
}

Deno.test("records that a caller does not see change none of the caller's answers", async (t) => {
  await using app = await startApp();
  // Each moves the clock and runs the timers of all leads, so both stand before the first answer.
  const other = await fill(app);
  const own = await fill(app);
  const calls = new Map<string, Prepared>();
  for (const endpoint of reading) calls.set(endpoint.declared.operation, await prepare(own, endpoint));
  const addStrange = await makeStrangers(own);
  const addOther = await makeStrangers(other);
  // The first activity on a case changes its contact, which the callers see; later ones leave it as it is.
  await addStrange();
  const { ids, world: { company, admin, dealer, agency } } = own;
  const teams = [ids.team_id, dealer, agency];
  const member = await company.user({ teams });
  const manager = await company.user({ type: "group_admin", teams, rights: everyRight });
  const viewers = [
    await makeViewer(own, "member", member),
    await makeViewer(own, "manager", manager),
    await makeViewer(own, "admin", admin),
  ];

  let answers = await readAll(app, calls, viewers);
  /** Returns what changed since the last call. */
  const readAgain = async (): Promise<Change[]> => {
    const before = answers;
    answers = await readAll(app, calls, viewers);
    return findChanges(before, answers);
  };
  await t.step("the callers read each operation, or lack a right for it", () => {
    const unread = (who: string) =>
      [...answers].filter(([key, text]) => key.endsWith(who) && !/^[23]/.test(text));
    assert.deepEqual(unread(" admin"), []);
    const unseen = unread(" manager").filter(([, text]) => !text.startsWith("403"));
    assert.deepEqual(
      unseen.map(([key]) => key),
      ofMaker.filter(isTried).map((operation) => `${operation} manager`),
    );
    if (isWhole) assert.ok(unread(" member").length < reading.length / 3);
  });
  await t.step("without new records every call gives the same answer again", async () => {
    assert.deepEqual(await readAgain(), []);
  });
  await t.step("records of another team change no answer, but of operations that say so", async () => {
    const rows = await countTables(app);
    await addStrange();
    const more = await countTables(app);
    const changes = (await readAgain()).filter(({ who }) => who !== "admin");
    assert.deepEqual(changes.filter(({ operation }) => !showing[operation]), [], needsScope);
    assert.deepEqual(
      [...new Set(changes.map(({ operation }) => operation))].sort(),
      Object.keys(showing).filter(isTried).sort(),
    );
    if (!isWhole) return;
    const missing = Object.keys(rows).filter((table) => rows[table]! > 0 && rows[table] === more[table]);
    assert.deepEqual(
      missing.sort(),
      withoutTeam.toSorted(),
      "tests/sweep/unseen.ts adds to all other tables",
    );
  });
  await t.step("records of another company change no answer, of the admin neither", async () => {
    await makeRecords(other, other.ids.team_id, other.ids.group_id);
    await addOther();
    assert.deepEqual(await readAgain(), [], needsScope);
  });
  await t.step("records of the callers' team change many", async () => {
    await makeRecords(own, ids.team_id, ids.group_id, { member, agent: manager });
    const changes = await readAgain();
    for (
      const operation of ["listCases", "listLeads", "listContacts", "searchAll", "getCounts", "getMetrics"]
    ) {
      if (!isTried(operation)) continue;
      const callers = changes.filter((change) => change.operation === operation).map(({ who }) => who);
      assert.deepEqual(callers, ["member", "manager", "admin"], operation);
    }
    assert.ok(changes.length > (isWhole ? 100 : 20));
  });
});

const needsScope = "The query lacks the company, or `isInScope` of src/db/scope.ts.";

const everyRight = Object.keys(rights) as Right[];

/** Makes a team of another group. Returns a function that makes records of it, of the same people each time. */
async function makeStrangers(place: Place): Promise<() => Promise<void>> {
  const { make, world: { company } } = place;
  const group = (await make("/v1/groups", { name: "South" })).id;
  const team = (await make("/v1/teams", { name: "Far", group_id: group, team_type: "dealer" })).id;
  const stranger = await company.user({ type: "team_admin", teams: [team], rights: everyRight });
  const far = await makeRecords(place, team, group);
  return async () => {
    await makeRecords(place, team, group, far.world);
    await makeBeside(place, far, stranger);
  };
}

async function makeViewer(
  { world: { company } }: Place,
  name: string,
  { id, token }: Actor,
): Promise<Viewer> {
  return { name, token, trusted: await company.token(id, true) };
}

async function readAll(
  app: TestApp,
  calls: ReadonlyMap<string, Prepared>,
  viewers: readonly Viewer[],
): Promise<Answers> {
  await app.idle();
  const answers = new Map<string, string>();
  for (const { declared: { operation, trusted: needsTrust } } of reading) {
    for (const { name, token, trusted } of viewers) {
      const reply = await sendPrepared(app.url, {
        ...calls.get(operation)!,
        token: needsTrust ? trusted : token,
      });
      answers.set(`${operation} ${name}`, comparable(operation, reply));
    }
  }
  return answers;
}

function comparable(operation: string, { status, text, headers }: Reply): string {
  const kept = keptText(text).replace(headers.get("x-request-id")!, "");
  return `${status} ${kept.replace(differing[operation]?.part ?? "", "")}`;
}

/** Returns the answers that differ, cut around their first difference. */
function findChanges(before: Answers, after: Answers): Change[] {
  return [...after].filter(([key, is]) => before.get(key) !== is).map(([key, is]) => {
    const was = before.get(key)!;
    const from = Math.max(0, [...was].findIndex((sign, index) => sign !== is[index]) - 80);
    const [operation, who] = key.split(" ") as [string, string];
    return { operation, who, was: was.slice(from, from + 160), is: is.slice(from, from + 160) };
  });
}
