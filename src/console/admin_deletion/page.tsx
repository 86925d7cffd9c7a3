/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Asks before a team, a process or a lead type is deleted. */
import { makeBody } from "../form_body.ts";
import { Button, Form } from "../forms.tsx";
import type { Action, Page, View } from "../page.ts";
import { requireAdministration } from "../parts/administration.ts";
import { type Offer, offerWithout, readTeams } from "../parts/choices.ts";
import { Amounts, DeleteForm, type Impact } from "../parts/impact.tsx";
import { OfferedField } from "../parts/choice_fields.tsx";
import type { Visit } from "../visit.ts";

interface Kind {
  readonly path: string;
  /** The path of the list. */
  readonly list: string;
  readonly id: string;
  readonly read: string;
  readonly impact: string;
  readonly remove: string;
  /** Whether another record of the kind can take over what belongs to it. */
  readonly hasHeir?: true;
}

const kinds: readonly Kind[] = [
  {
    path: "/app/admin/teams/:team_id/delete",
    list: "/app/admin/teams",
    id: "team_id",
    read: "getTeam",
    impact: "getTeamDeleteImpact",
    remove: "deleteTeam",
    hasHeir: true,
  },
  {
    path: "/app/admin/processes/:relations_path_id/delete",
    list: "/app/admin/processes",
    id: "relations_path_id",
    read: "getRelationsPath",
    impact: "getRelationsPathDeleteImpact",
    remove: "deleteRelationsPath",
  },
  {
    path: "/app/admin/lead-types/:lead_type_id/delete",
    list: "/app/admin/lead-types",
    id: "lead_type_id",
    read: "getLeadType",
    impact: "getLeadTypeDeleteImpact",
    remove: "deleteLeadType",
  },
];

export const deletionPages: readonly Page[] = kinds.map((kind) => ({
  path: kind.path,
  section: "administration",
  show: (visit) => show(visit, kind),
}));

export const deletionActions: readonly Action[] = kinds.map(({ list, remove }, at) => ({
  path: deletionPages[at]!.path,
  page: deletionPages[at]!,
  async run({ change, params, form }) {
    const { assign_to } = makeBody(form, { assign_to: "text" });
    await change(remove, {
      params,
      ...(assign_to === undefined ? {} : { query: { assign_to: String(assign_to) } }),
    });
    return { to: list, message: { name: "deleted" } };
  },
}));

async function show(visit: Visit, { list, id, read, impact, hasHeir }: Kind): Promise<View> {
  requireAdministration(visit);
  const { call, params, texts } = visit;
  const [record, found, teams] = await Promise.all([
    call<{ id: number | string; name: string }>(read, { params }),
    call<Impact>(impact, { params }),
    hasHeir ? readTeams(visit) : null,
  ]);
  const back = `${list}/${params[id]}`;
  const heirs = teams && offerWithout(teams, String(record.id));
  return {
    title: texts.deleting.of(record.name),
    body: heirs
      ? <WithHeir visit={visit} back={back} impact={found} heirs={heirs} />
      : <DeleteForm visit={visit} action={`${back}/delete`} impact={found} back={back} />,
  };
}

function WithHeir({ visit, back, impact, heirs }: {
  readonly visit: Visit;
  readonly back: string;
  readonly impact: Impact;
  readonly heirs: Offer;
}) {
  const { texts: { deleting: texts, cancel, none }, forms } = visit;
  const action = `${back}/delete`;
  const isBlocked = impact.blocked_by.length > 0;
  return (
    <div class="sheet narrow">
      <p>{isBlocked ? texts.heirNeeded : texts.heirOffered}</p>
      <Amounts visit={visit} amounts={[...impact.blocked_by, ...impact.affects ?? []]} />
      <Form forms={forms} action={action} name={texts.delete}>
        <OfferedField
          forms={forms}
          action={action}
          name="assign_to"
          path={["assign_to", "query.assign_to"]}
          label={texts.giveRecordsTo}
          before={isBlocked && heirs.choices.length > 0 ? [] : [{ value: "", text: none }]}
          offer={heirs}
        />
        <Button kind="bad">{texts.delete}</Button> <a class="button quiet" href={back}>{cancel}</a>
      </Form>
    </div>
  );
}
