/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Merges two records, and undoes a merge. */
import { fixedFields } from "../../fields/fixed_fields.ts";
import type { Action, View } from "../page.ts";
import { Amounts } from "../parts/impact.tsx";
import { Links } from "../parts/links.tsx";
import type { Visit } from "../visit.ts";
import { findMergeKind, mergeKinds, type Moved } from "./kinds.ts";
import { type MergeFacts, mergePage, mergePath, readLeft, readName } from "./merge.tsx";
import { listAmounts, mergePages } from "./page.tsx";

interface KeptField {
  readonly entity_type: string;
  readonly entity_id: string;
  readonly field: string | null;
  readonly reason: string;
}

interface Undone {
  readonly restored: Moved;
  readonly kept: readonly KeptField[];
}

export const mergeActions: readonly Action[] = [
  ...mergeKinds.map((kind, at): Action => ({
    path: mergePages[at]!.path,
    page: mergePages[at]!,
    async run(visit) {
      const { change, params, form } = visit;
      const from_id = String(form.get("from_id") ?? "");
      const { merge_id } = await change<{ merge_id: string }>(kind.merge, {
        params,
        body: { from_id, take: readTake(form) },
      });
      const entity_id = params[kind.param]!;
      // A large one goes on by itself.
      const left = await readLeft(visit, { entity_type: kind.type, entity_id, from_id });
      return {
        to: left === null ? `/app/${kind.list}/${entity_id}` : mergePath(merge_id),
        message: left === null ? { name: "merged", undo: mergePath(merge_id) } : { name: "merging" },
      };
    },
  })),
  {
    path: mergePage.path,
    page: mergePage,
    async run(visit) {
      const { call, change, params } = visit;
      const merge = await call<MergeFacts>("getMerge", { params });
      const undone = await change<Undone>("undoMerge", { params });
      const { list } = findMergeKind(merge.entity_type);
      const back = `/app/${list}/${merge.entity_id}`;
      if (undone.kept.length === 0) return { to: back, message: { name: "mergeUndone" } };
      return await showKept(visit, undone, back);
    },
  },
];

/** Returns the choices of the form by the names of their fields. */
function readTake(form: FormData): Record<string, string> {
  const prefix = "take.";
  return Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(prefix) && typeof value === "string" ? [[name.slice(prefix.length), value]] : []
    ),
  );
}

/** Records whose names are read. */
const mostNamed = 20;

/** Lists what stays as it is, since somebody has changed it meanwhile. */
async function showKept(visit: Visit, { restored, kept }: Undone, back: string): Promise<View> {
  const { texts: { merging: texts } } = visit;
  const [named, labels] = await Promise.all([loadNames(visit, kept), loadLabels(visit, kept)]);
  return {
    title: texts.undone,
    body: (
      <div class="sheet narrow">
        <p>{texts.isBack}</p>
        <Amounts visit={visit} amounts={listAmounts(restored)} />
        <h2>{texts.kept}</h2>
        <ul data-list="kept" data-total={String(kept.length)}>
          {kept.map(({ entity_type, entity_id, field, reason }) => (
            <li key={`${entity_type} ${entity_id} ${field}`}>
              <KeptRecord
                visit={visit}
                type={entity_type}
                id={entity_id}
                name={named.get(entity_id) ?? null}
              />
              {": "}
              {field === null ? null : (
                <>
                  <bdi>{nameMergedField(visit, field, labels)}</bdi>
                  {" – "}
                </>
              )}
              {texts.keptReasons[reason] ?? texts.keptReasons.changed}
            </li>
          ))}
        </ul>
        <Links links={[{ href: back, text: texts.toRecord }]} />
      </div>
    ),
  };
}

const lists: Readonly<Record<string, string>> = {
  account: "accounts",
  contact: "contacts",
  case: "cases",
  lead: "leads",
};

function KeptRecord({ visit, type, id, name }: {
  readonly visit: Visit;
  readonly type: string;
  readonly id: string;
  readonly name: string | null;
}) {
  const [what] = visit.texts.deleting.amounts[type] ?? [visit.texts.merging.record];
  const text = name === null ? <span>{what}</span> : (
    <>
      {what} <bdi>{name}</bdi>
    </>
  );
  const list = lists[type];
  return list === undefined ? text : <a href={`/app/${list}/${id}`}>{text}</a>;
}

async function loadNames(visit: Visit, kept: readonly KeptField[]): Promise<ReadonlyMap<string, string>> {
  const customers = new Map(
    kept.filter(({ entity_type }) => entity_type === "account" || entity_type === "contact")
      .map(({ entity_id, entity_type }) => [entity_id, entity_type as "account" | "contact"]),
  );
  const found = await Promise.all(
    [...customers].slice(0, mostNamed).map(async ([id, type]): Promise<[string, string | null]> => [
      id,
      await readName(visit, findMergeKind(type), id),
    ]),
  );
  return new Map(found.filter((pair): pair is [string, string] => pair[1] !== null));
}

/** Returns the labels of custom fields by their names, when something of them was kept. */
async function loadLabels({ call }: Visit, kept: readonly KeptField[]): Promise<ReadonlyMap<string, string>> {
  if (!kept.some(({ field }) => field?.startsWith("custom."))) return new Map();
  const lists = await Promise.all(
    ["account", "contact"].map((owner_type) =>
      call<{ data: readonly { name: string; label: string }[] }>("listFields", { params: { owner_type } })
    ),
  );
  return new Map(lists.flatMap(({ data }) => data).map(({ name, label }) => [name, label]));
}

/** Returns the name of a field as people read it. `labels`: those of custom fields. */
function nameMergedField({ texts }: Visit, field: string, labels: ReadonlyMap<string, string>): string {
  const { merging, customers, fixedFields: names } = texts;
  const [first, ...rest] = field.split(".");
  const name = rest.join(".");
  if (first === "consent") {
    return customers.consentTo(customers.consentChannels[name as keyof typeof customers.consentChannels]);
  }
  if (first === "custom") return labels.get(name) ?? name;
  const fixed = [...fixedFields.account, ...fixedFields.contact].find(({ name }) => name === field);
  return merging.members[field] ?? names[field] ?? fixed?.label ?? field;
}
