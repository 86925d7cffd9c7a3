import assert from "node:assert/strict";
import { z } from "zod";
import { created, noContent, ok } from "../../src/core/answer.ts";
import { Json, toJson } from "../../src/core/json.ts";
import { endpoint, type Wire } from "../../src/http/endpoint.ts";
import { describePage, page } from "../../src/http/lists.ts";

const Pet = z.object({
  id: z.int(),
  kind: z.enum(["cat", "dog"]),
  owner: z.object({ id: z.int(), name: z.string() }).nullable(),
});
const pets = {
  method: "get",
  path: "/v1/pets",
  operation: "pets",
  tag: "Pets",
  summary: "Pets",
} as const;
const answers = { 200: { description: "A pet.", schema: Pet } };
const owner = { id: 1, name: "Ada" };
type PetValue = Wire<z.output<typeof Pet>>;
const presentPet = (): PetValue => ({ id: 1, kind: "cat", owner });

// `deno check` reports each line below that compiles although it does not answer with the declared schema.
Deno.test("an endpoint compiles only with answers of its declared schema", () => {
  endpoint({ ...pets, answers }, () => Promise.resolve(ok(presentPet())));
  endpoint({ ...pets, answers }, () => Promise.resolve(ok({ id: 1, kind: "dog", owner: null })));
  // @ts-expect-error: the kind is missing
  endpoint({ ...pets, answers }, () => Promise.resolve(ok({ id: 1, owner })));
  // @ts-expect-error: the id is a string
  endpoint({ ...pets, answers }, () => Promise.resolve(ok({ id: "1", kind: "dog", owner })));
  // @ts-expect-error: a parrot is no kind of pet
  endpoint({ ...pets, answers }, () => Promise.resolve(ok({ id: 1, kind: "parrot", owner })));
  const nameless = { id: 1 };
  // @ts-expect-error: the nested owner has no name
  endpoint({ ...pets, answers }, () => Promise.resolve(ok({ id: 1, kind: "dog", owner: nameless })));
  const unknown = new Json<unknown>("{}");
  // @ts-expect-error: JSON of an unknown value
  endpoint({ ...pets, answers }, () => Promise.resolve(ok(unknown)));
  // @ts-expect-error: a list is no record
  endpoint({ ...pets, answers }, () => Promise.resolve(created([presentPet()])));
  assert.equal(toJson(presentPet()).text, '{"id":1,"kind":"cat","owner":{"id":1,"name":"Ada"}}');
});

Deno.test("a presenter compiles only with the value of its schema", () => {
  const right: PetValue = { id: 1, kind: "cat", owner };
  // @ts-expect-error: the owner is missing
  const wrong: PetValue = { id: 1, kind: "cat" };
  assert.notDeepEqual(right, wrong);
});

Deno.test("an endpoint without a body compiles only with an answer without one", () => {
  const empty = { 204: { description: "Deleted.", schema: null } };
  endpoint({ ...pets, answers: empty }, () => Promise.resolve(noContent));
  // @ts-expect-error: an answer with a body
  endpoint({ ...pets, answers: empty }, () => Promise.resolve(ok(presentPet())));
  const either = { ...answers, ...empty };
  endpoint(
    { ...pets, answers: either },
    () => Promise.resolve(Math.random() < 0.5 ? noContent : ok(presentPet())),
  );
  assert.equal(noContent.body, null);
});

Deno.test("a page compiles only with records of its schema", async () => {
  const page200 = { 200: { description: "Pets.", schema: describePage(Pet, "PetPage") } };
  const request = { url: "http://127.0.0.1/v1/pets", ctx: { origin: "http://127.0.0.1" } };
  const paging = { page: 1, per_page: 15, sort: { column: "id", descending: false }, after: null, offset: 0 };
  const present = () => ({ id: 1 });
  endpoint({ ...pets, answers: page200 }, () => page(request, paging, [], 0, presentPet));
  // @ts-expect-error: records without `kind`
  endpoint({ ...pets, answers: page200 }, () => page(request, paging, [], 0, present));
  const { body } = await page(request, paging, [{}], 1, presentPet);
  assert.deepEqual(JSON.parse(toJson(body).text).data, [{ id: 1, kind: "cat", owner }]);
});
