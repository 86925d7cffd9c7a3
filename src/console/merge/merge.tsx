/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A merge that was made: how far it is, what moved, and its undo with what stays as it is. */
import { Problem } from "../../core/errors.ts";
import { findRecordName } from "../account/load.ts";
import { Button, Form } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import type { Fielded } from "../parts/fields.tsx";
import { Fact } from "../parts/facts.tsx";
import { Amounts } from "../parts/impact.tsx";
import { Progress } from "../parts/progress.tsx";
import { Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { findMergeKind, type MergeKind, type Moved } from "./kinds.ts";
import { listAmounts } from "./page.tsx";

export interface MergeFacts {
  readonly id: string;
  readonly entity_type: "account" | "contact";
  readonly entity_id: string;
  readonly from_id: string;
  readonly moved: Moved;
  readonly user: { readonly name: string } | null;
  readonly created_at: string;
  readonly undone_at: string | null;
}

export const mergePage: Page = { path: "/app/merges/:merge_id", section: "customers", show };

/** The address of a merge and of its undo. */
export const mergePath = (id: string) => `/app/merges/${id}`;

async function show(visit: Visit): Promise<View> {
  visit.require("customers.delete");
  const { call, params, texts: { merging: texts } } = visit;
  const merge = await call<MergeFacts>("getMerge", { params });
  const kind = findMergeKind(merge.entity_type);
  const [name, left] = await Promise.all([
    readName(visit, kind, merge.entity_id),
    merge.undone_at === null ? readLeft(visit, merge) : null,
  ]);
  const isRunning = left !== null;
  return {
    title: texts.title[merge.entity_type],
    ...(isRunning ? { live: true } : {}),
    body: (
      <article class="sheet narrow" data-status={chooseStatus(merge, isRunning)}>
        <Facts visit={visit} kind={kind} merge={merge} name={name} />
        <h2>{texts.moved}</h2>
        <Amounts visit={visit} amounts={listAmounts(merge.moved)} />
        {listAmounts(merge.moved).length === 0 ? <p>{texts.nothingMoved}</p> : null}
        {left === null ? null : (
          <Progress
            visit={visit}
            label={texts.running}
            done={sumAmounts(merge.moved) - left}
            all={sumAmounts(merge.moved)}
          />
        )}
        {merge.undone_at === null && !isRunning
          ? (
            <Form forms={visit.forms} action={mergePath(merge.id)} name={texts.undo}>
              <p class="hint">{texts.undoHint}</p>
              <Button kind="quiet">{texts.undo}</Button>
            </Form>
          )
          : null}
      </article>
    ),
  };
}

function chooseStatus({ undone_at }: MergeFacts, isRunning: boolean): string {
  if (isRunning) return "running";
  return undone_at === null ? "done" : "undone";
}

function Facts({ visit, kind, merge, name }: {
  readonly visit: Visit;
  readonly kind: MergeKind;
  readonly merge: MergeFacts;
  readonly name: string | null;
}) {
  const { texts: { merging: texts } } = visit;
  return (
    <dl class="facts">
      {name === null ? null : (
        <Fact term={texts.into}>
          <a href={`/app/${kind.list}/${merge.entity_id}`}>
            <bdi>{name}</bdi>
          </a>
        </Fact>
      )}
      <Fact term={texts.by}>{merge.user && <bdi>{merge.user.name}</bdi>}</Fact>
      <Fact term={texts.at}>
        <Moment visit={visit} at={merge.created_at} />
      </Fact>
      {merge.undone_at === null ? null : (
        <Fact term={texts.undoneAt}>
          <Moment visit={visit} at={merge.undone_at} />
        </Fact>
      )}
    </dl>
  );
}

/** Returns the name of a record; null when it is gone or the person does not see it. */
export async function readName(
  { call, texts }: Visit,
  kind: MergeKind,
  id: string,
): Promise<string | null> {
  const record = await ifThere(call<Fielded>(kind.read, { params: { [kind.param]: id } }));
  return record && findRecordName(record, texts.leads.unnamed);
}

/**
 * Returns how many records a merge under way has still to move; null when it is done, since the record that it
 * takes is gone then.
 */
export async function readLeft(
  { call }: Visit,
  { entity_type, entity_id, from_id }: Pick<MergeFacts, "entity_type" | "entity_id" | "from_id">,
): Promise<number | null> {
  const kind = findMergeKind(entity_type);
  const params = { [kind.param]: entity_id };
  const preview = await ifThere(
    call<{ moved: Moved }>(kind.merge, { params, body: { from_id, dry_run: true } }),
  );
  return preview && sumAmounts(preview.moved);
}

/** Returns null for a record that does not exist, or that a body names in vain. */
async function ifThere<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Problem && (error.status === 404 || error.status === 422)) return null;
    throw error;
  }
}

function sumAmounts(moved: Moved): number {
  return Object.values(moved).reduce((sum, amount) => sum + amount, 0);
}
