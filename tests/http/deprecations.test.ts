/** What is deprecated reports since when, and until when, as RFC 9745 and RFC 8594 require. */
import assert from "node:assert/strict";
import { endpoints } from "../../src/app.ts";
import type { Deprecation, Endpoint } from "../../src/http/endpoint.ts";
import { startApp } from "../support/app.ts";
import { fill } from "../sweep/place.ts";
import { isSuccess, prepare, sendPrepared, withQuery } from "../sweep/sweep.ts";

/** A value of each deprecated parameter. */
const values: Readonly<Record<string, string>> = { type: "letter" };

/** Each deprecated endpoint, and each deprecated parameter of others. */
const deprecated = endpoints.flatMap((endpoint: Endpoint): [Endpoint, string | null, Deprecation][] => {
  const { deprecated, deprecatedParameters = {} } = endpoint.declared;
  return [
    ...(deprecated ? [[endpoint, null, deprecated] as [Endpoint, null, Deprecation]] : []),
    ...Object.entries(deprecatedParameters).map(
      ([name, its]): [Endpoint, string, Deprecation] => [endpoint, name, its],
    ),
  ];
});

/** Checks the headers of an answer to a deprecated call. */
function check(headers: Headers, what: string): void {
  const [, since] = /^@(\d+)$/.exec(headers.get("deprecation") ?? "") ?? [];
  assert.ok(since !== undefined, `${what}: Deprecation is ${headers.get("deprecation")}`);
  assert.ok(Number(since) * 1000 <= Date.now(), `${what}: the deprecation is not in the future`);
  const sunset = headers.get("sunset");
  if (sunset === null) return;
  const ends = Date.parse(sunset);
  assert.equal(new Date(ends).toUTCString(), sunset, `${what}: Sunset is an HTTP date`);
  assert.ok(Number(since) * 1000 <= ends, `${what}: nothing ends before it is deprecated`);
}

Deno.test("every deprecated call ends after it was deprecated, and its replacement is there", async () => {
  await using app = await startApp();
  const place = await fill(app);
  assert.ok(deprecated.length > 8);
  for (const [endpoint, parameter, { sunset, successor }] of deprecated) {
    const call = await prepare(place, endpoint);
    const path = parameter === null ? call.path : withQuery(call.path, `${parameter}=${values[parameter]!}`);
    const answer = await sendPrepared(app.url, { ...call, path });
    const what = `${call.method} ${path}`;
    assert.ok(isSuccess(answer), `${what}: ${answer.text}`);
    check(answer.headers, what);
    assert.equal(answer.headers.get("sunset"), sunset ?? null, what);
    if (successor === undefined) continue;
    const link = /^<([^>]+)>; rel="successor-version"$/.exec(answer.headers.get("link") ?? "");
    assert.ok(link && !link[1]!.includes(":"), what);
    assert.ok(endpoints.some(({ declared }) => declared.path === successor), `${what}: ${successor}`);
  }
});

Deno.test("a deprecated name in a filter is reported, wherever the filter is sent", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const filter = [{ field: "contact.fixed_fields.last_name", operator: "sw", value: "b" }];
  await admin.call("PUT", "/v1/campaigns/settings", { domain_slug: "spring" });
  const { body: saved } = await admin.call("POST", "/v1/contacts/filters", { name: "All", filter: [] });
  const message = { subject: "Offers", content: "Hello", sender: "Ada" };
  const draft = { type: "email", name: "Spring", approved: false, filter, message };
  const { body: campaign } = await admin.call("POST", "/v1/campaigns", { ...draft, filter: [] });
  const { body: view } = await admin.call("POST", "/v1/views", {
    name: "All",
    entity: "contact",
    filter: [],
  });
  const calls: [string, string, object?][] = [
    ["POST", "/v1/contacts/filter", { filter }],
    ["POST", "/v1/contacts/filters", { name: "Old", filter }],
    ["PUT", `/v1/contacts/filters/${saved.id}`, { name: "Old", filter }],
    ["GET", `/v1/contacts?filter_id=${saved.id}`],
    ["POST", "/v1/accounts/filter", { filter }],
    ["POST", "/v1/campaigns", draft],
    ["PUT", `/v1/campaigns/${campaign.id}`, { filter }],
    ["POST", "/v1/campaigns/test-email", draft],
    ["POST", "/v1/views", { name: "Old", entity: "contact", filter }],
    ["PUT", `/v1/views/${view.id}`, { filter }],
  ];
  for (const [method, path, body] of calls) {
    const answer = await admin.call(method, path, body);
    assert.ok(isSuccess(answer), `${path}: ${answer.text}`);
    check(answer.headers, `${method} ${path}`);
  }
});

Deno.test("the address of a deprecated report reports it too", async () => {
  await using app = await startApp();
  const { admin } = await app.company();
  const { body } = await admin.call("GET", "/v1/reports/performance/export/pdf");
  const answer = await fetch(body.url, { method: "HEAD" });
  assert.equal(answer.status, 200);
  check(answer.headers, "the PDF");
  assert.ok(answer.headers.has("sunset"));
});
