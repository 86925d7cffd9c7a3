/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Moving a case to a later milestone: an activity with it. One that ends the case asks first, on a page. */
import { notFound } from "../../core/errors.ts";
import { Button, Form, SelectField } from "../forms.tsx";
import { makeCustomer, type Party } from "../parts/customer.ts";
import { casesPage } from "../cases/page.tsx";
import type { Action, Page, Redirect, View } from "../page.ts";
import { makeChoice } from "../parts/choices.ts";
import type { Visit } from "../visit.ts";
import type { Milestone } from "../board/load.ts";

const path = "/app/cases/:case_id/move";

export const movePage: Page = { path, section: "cases", show };

export const moveAction: Action = {
  path,
  page: casesPage,
  async run(visit) {
    const { change, params, form, texts } = visit;
    const asked = String(form.get("milestone_id") ?? "");
    const { milestone } = await readMove(visit, asked);
    if (readEnding(milestone) !== null && form.get("confirmed") !== "yes") {
      const query = new URLSearchParams(visit.query);
      query.set("milestone_id", asked);
      return { to: `/app/cases/${params.case_id}/move?${query}`, message: null };
    }
    await change("createActivity", { params, body: { activity_type_ids: [asked] } });
    const query = new URLSearchParams(visit.query);
    query.delete("milestone_id");
    query.set("view", "board");
    return {
      to: `/app/cases?${query}`,
      message: { name: "moved", of: milestone?.name ?? texts.leads.unnamed },
    };
  },
};

interface CaseToMove {
  readonly case_number: number;
  readonly status: string;
  readonly account: Party;
  readonly contact: Party;
  readonly relations_path: { readonly id: string };
  /** In the order of the process. */
  readonly milestones: readonly { readonly id: string; readonly name: string; readonly done: boolean }[];
}

async function readMove({ call, params }: Visit, asked: string) {
  const record = await call<CaseToMove>("getCase", { params });
  const { activity_types: { milestones } } = await call<{ activity_types: { milestones: Milestone[] } }>(
    "getRelationsPath",
    { params: { relations_path_id: record.relations_path.id } },
  );
  return { record, milestone: milestones.find(({ id }) => id === asked) ?? null };
}

/** Returns how the milestone ends a case; null when it does not. */
function readEnding(milestone: Milestone | null): "closed" | "declined" | null {
  const status = milestone?.set_status;
  return status === "closed" || status === "declined" ? status : null;
}

async function show(visit: Visit): Promise<View | Redirect> {
  const asked = visit.query.get("milestone_id") ?? "";
  const { record, milestone } = await readMove(visit, asked);
  const end = readEnding(milestone);
  if (milestone === null && asked !== "") throw notFound();
  if (record.status !== "open") return { to: `/app/cases/${visit.params.case_id}` };
  const { texts, forms, params, query } = visit;
  const { contact, account } = makeCustomer(record);
  const name = texts.cases.title(record.case_number, contact ?? account ?? texts.leads.unnamed);
  const button = end === "closed" ? texts.board.close : texts.cases.declineCase;
  const kept = new URLSearchParams(query);
  kept.delete("milestone_id");
  if (milestone === null || end === null) {
    return {
      title: texts.board.moveOf(name),
      body: <Choose visit={visit} record={record} chosen={asked} kept={kept} />,
    };
  }
  return {
    title: texts.board.ask[end](name),
    body: (
      <div class="sheet narrow">
        <p dir="auto">{texts.board.asked(milestone.name)}</p>
        <Form forms={forms} action={`/app/cases/${params.case_id}/move?${kept}`} name={button}>
          <input type="hidden" name="milestone_id" value={milestone.id} />
          <input type="hidden" name="confirmed" value="yes" />
          <Button kind={end === "closed" ? "main" : "bad"}>{button}</Button>{" "}
          <a class="button quiet" href={`/app/cases?view=board&${kept}`}>{texts.cancel}</a>
        </Form>
      </div>
    ),
  };
}

/** Chooses the milestone that the case moves to, where cards of the board do not offer them. */
function Choose({ visit: { texts, forms, params }, record, chosen, kept }: {
  readonly visit: Visit;
  readonly record: CaseToMove;
  readonly chosen: string;
  readonly kept: URLSearchParams;
}) {
  const action = `/app/cases/${params.case_id}/move`;
  const later = record.milestones.slice(record.milestones.findLastIndex(({ done }) => done) + 1);
  return (
    <div class="sheet narrow">
      <Form forms={forms} action={`${action}?${kept}`} name={texts.board.move}>
        <SelectField
          forms={forms}
          action={action}
          name="milestone_id"
          label={texts.board.moveTo}
          value={chosen}
          choices={later.map(makeChoice)}
        />
        <Button>{texts.board.move}</Button>{" "}
        <a class="button quiet" href={`/app/cases?view=board&${kept}`}>{texts.cancel}</a>
      </Form>
    </div>
  );
}
