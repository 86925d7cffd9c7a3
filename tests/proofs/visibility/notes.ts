/** Compares notes on cases and contacts, and products, for each user. */
import type { Actor } from "../../support/app.ts";
import { nameValues } from "../../customers/fields_world.ts";
import { compare, type Question, searchQuestions } from "./asking.ts";
import { formatDay, type Made, post, takeKnown } from "./company.ts";
import { type Known, type Plan, seesRecord, type Viewer } from "./model.ts";

/** Texts of notes, by day. */
const words = ["Adamant", "Bell & <b>Müll</b>", "Wiener", "cid"];
const texts = ["Adamant", "Bell Müll", "Wiener", "cid"];

export async function makeNotes(made: Made, notes: Plan["notes"]): Promise<void> {
  for (const { on, of, day: n } of notes) {
    const among: readonly (Known & { readonly account?: string })[] = on === "case"
      ? made.cases
      : made.contacts;
    const record = among[of % Math.max(1, among.length)];
    if (!record) continue;
    const body = await post(made.company.admin, "/v1/notes", {
      note: words[n],
      created_at: formatDay(n),
      ...(on === "case" ? { case_id: record.id } : { contact_id: record.id, account_id: record.account }),
    });
    const note = takeKnown({ ...body, id: String(body.id) }, record.team, [texts[n]!], {});
    made.notes.push({ ...note, on: record.id });
  }
}

export async function makeProducts(made: Made, count: number): Promise<void> {
  const { admin } = made.company;
  for (let n = 0; n < count; n++) {
    const { id } = await post(admin, "/v1/products/categories", { name: `Kind ${n}` });
    const body = { category: { id: [id] }, fixed_fields: nameValues({ name: `Thing ${n}` }) };
    const product = await post(admin, "/v1/products", body);
    const all = { team: null, user: 0, texts: [], status: "" };
    for (const [list, of] of [["products", product], ["categories", { ...product, id }]] as const) {
      const { created_at } = of;
      made[list].push({ ...all, id: String(of.id), created_at, keys: { created_at } });
    }
  }
}

/** A note is visible with its record; products are visible to everybody. */
export async function lookAtNotes(made: Made, viewer: Viewer, actor: Actor): Promise<void> {
  const visible = made.notes.filter((note) => seesRecord(viewer, note, made.groupOf));
  const on = (parameter: string, records: readonly Known[]): Question => {
    const ids = records.map(({ id }) => id);
    return { query: `${parameter}=${ids}`, holds: (note) => ids.includes(note.on!) };
  };
  const ofAccount = made.accounts.slice(0, 2).map(({ id }): Question => {
    const contacts = made.contacts.filter(({ account }) => account === id).map((contact) => contact.id);
    return { query: `account_ids=${id}`, holds: (note) => contacts.includes(note.on!) };
  });
  const questions = [
    on("case_ids", made.cases),
    ...searchQuestions(["ada", "mul", "bell"]),
    on("contact_ids", made.contacts.slice(0, 3)),
    on("case_ids", made.cases.slice(0, 1)),
    ...ofAccount,
  ];
  await compare(
    actor,
    "/v1/notes",
    visible,
    ["created_at"],
    questions.filter(({ query }) => !query.endsWith("=")),
  );
  await compare(actor, "/v1/products", made.products, ["created_at"], []);
  await compare(actor, "/v1/products/categories", made.categories, ["created_at"], []);
}
