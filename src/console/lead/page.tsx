/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A lead: what it brought, what happened to it, and what can be done. */
import type { Page, View } from "../page.ts";
import { Fact, FieldText, RecordFacts } from "../parts/facts.tsx";
import { formatFieldValue } from "../parts/fields.tsx";
import { findLabel } from "../parts/labels.ts";
import { Links } from "../parts/links.tsx";
import { type FieldValue, makeCustomer } from "../parts/customer.ts";
import { Countdown, Email, Moment, Phone } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { LeadForms } from "./forms.tsx";
import { type Explanation, type LeadContent, readLead } from "./load.ts";
import { LeadStatus, leadTitle } from "./row.tsx";

export const leadPage: Page = {
  path: "/app/leads/:lead_id",
  section: "leads",
  opens: { type: "lead", param: "lead_id" },
  show,
};

async function show(visit: Visit): Promise<View> {
  const content = await readLead(visit);
  return { title: leadTitle(visit, content.lead), body: <Body visit={visit} content={content} /> };
}

function Body({ visit, content }: { visit: Visit; content: LeadContent }) {
  const { texts } = visit;
  const { lead } = content;
  return (
    <article>
      <p>
        <LeadStatus visit={visit} status={lead.status} /> <Countdown visit={visit} at={lead.escalates_at} />
        {lead.case_id ? <a href={`/app/cases/${lead.case_id}`}>{texts.leads.toCase}</a> : null}
      </p>
      <LeadForms visit={visit} content={content} />
      <div class="columns">
        <Facts visit={visit} content={content} />
        <section aria-labelledby="history" class="sheet">
          <h2 id="history">{texts.leads.history}</h2>
          <ol class="history">
            {listMoves(visit, content).map(({ at, text }) => (
              <li>
                <Moment visit={visit} at={at} />
                <bdi>{text}</bdi>
              </li>
            ))}
          </ol>
        </section>
        <Why visit={visit} content={content} />
      </div>
      <Links
        links={[
          content.may.delete &&
          { href: `/app/leads/${lead.id}/delete`, text: texts.customers.delete, isRare: true },
        ]}
      />
    </article>
  );
}

/** Why the lead is where it is: its last move, and what happens next by itself. */
function Why({ visit, content: { lead, explanation } }: { visit: Visit; content: LeadContent }) {
  const { leads, why: texts } = visit.texts;
  const last = explanation.moves.findLast(({ to, move }) => to === lead.status && move !== "first_activity");
  const first = explanation.moves.find(({ move }) => move === "first_activity");
  const { next } = explanation;
  return (
    <section aria-labelledby="why" class="sheet">
      <h2 id="why">{texts.title}</h2>
      {last
        ? (
          <p>
            {texts.since(leads.statuses[last.to] ?? last.to)} <Moment visit={visit} at={last.at} />
            <bdi>{listCauses(visit, last).map((cause) => ` · ${cause}`).join("")}</bdi>
          </p>
        )
        : null}
      {first
        ? (
          <p>
            {texts.firstActivity}: <Moment visit={visit} at={first.at} />
          </p>
        )
        : null}
      {next
        ? (
          <p>
            {texts.next}: <Moment visit={visit} at={next.at} /> · {texts.nexts[next.rule] ?? ""}
          </p>
        )
        : <p>{texts.nothing}</p>}
    </section>
  );
}

/** Returns who made a move, for which team, and why. */
function listCauses(
  { texts: { why: texts } }: Visit,
  { by, team, reason }: Explanation["moves"][number],
): string[] {
  return [
    by.type === "timer" ? texts.timer : by.name && texts.by(by.name),
    team?.name && texts.team(team.name),
    reason && (texts.rules[reason] ?? reason),
  ].filter((text): text is string => typeof text === "string" && text !== "");
}

/** Fixed fields that stand above the others. */
const above = ["email", "phone_number"];
const isFixed = (field: FieldValue, name: string) => typeof field.id === "number" && field.name === name;

function Facts({ visit, content: { lead } }: { visit: Visit; content: LeadContent }) {
  const { texts } = visit;
  const { phone, email } = makeCustomer(lead);
  return (
    <RecordFacts
      visit={visit}
      entity="lead"
      record={lead}
      more={lead.lead_data.length > 0 ? <LeadData visit={visit} lines={lead.lead_data} /> : null}
    >
      <Fact term={texts.leads.type}>
        <bdi>{lead.lead_type.name}</bdi>
      </Fact>
      <Fact term={texts.leads.source}>
        <bdi>{lead.lead_source}</bdi>
      </Fact>
      <Fact term={texts.leads.interest}>{lead.interest && <bdi>{lead.interest}</bdi>}</Fact>
      <Fact term={texts.leads.team_}>{lead.team && <bdi>{lead.team.name}</bdi>}</Fact>
      <Fact term={texts.leads.phone}>{phone && <Phone number={phone} />}</Fact>
      <Fact term={texts.leads.email}>{email && <Email address={email} />}</Fact>
      <Fact term={texts.leads.created}>
        <Moment visit={visit} at={lead.created_at} />
      </Fact>
      {[lead.contact, lead.account].flatMap(({ fixed_fields, custom_fields }) => [
        ...fixed_fields,
        ...custom_fields,
      ]).filter((field) => !above.some((name) => isFixed(field, name))).flatMap((field) => {
        const value = formatFieldValue(visit, field);
        return value === null ? [] : [
          <Fact
            key={field.name}
            term={isFixed(field, "name") ? texts.leads.accountName : findLabel(visit, field)}
          >
            <FieldText field={field} text={value} />
          </Fact>,
        ];
      })}
    </RecordFacts>
  );
}

function LeadData({ visit, lines }: { visit: Visit; lines: LeadContent["lead"]["lead_data"] }) {
  return (
    <>
      <h3>{visit.texts.leads.data}</h3>
      <dl class="facts">
        {lines.map(({ key, type, value }) =>
          type === "heading"
            ? (
              <dt class="heading">
                <bdi>{key || String(value ?? "")}</bdi>
              </dt>
            )
            : (
              <Fact term={key}>
                <DataValue value={value} />
              </Fact>
            )
        )}
      </dl>
    </>
  );
}

function DataValue({ value }: { value: unknown }) {
  if (!Array.isArray(value)) return <bdi>{String(value ?? "")}</bdi>;
  if (!value.some(Array.isArray)) {
    return (
      <ul>
        {value.map((one) => (
          <li>
            <bdi>{String(one)}</bdi>
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div class="scroll" tabindex={0}>
      <table>
        {value.map((row) => (
          <tr>
            {(row as unknown[]).map((cell) => (
              <td>
                <bdi>{String(cell)}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </table>
    </div>
  );
}

/** Returns the moves of the lead, newest first. */
function listMoves({ texts }: Visit, { lead, names }: LeadContent): { at: string; text: string }[] {
  const { moves } = texts.leads;
  const name = (id: number | null | undefined) => id == null ? null : names.get(String(id)) ?? null;
  const line = (move: string, ...more: (string | null)[]) =>
    [move, ...more.filter((part) => part !== null && part !== "")].join(" · ");
  const all = [
    ...lead.assignments.map((one) => ({
      at: one.assignment_date,
      text: line(moves.assignments, name(one.user_id)),
    })),
    ...lead.acceptions.map((one) => ({
      at: one.accepted_date,
      text: line(moves.acceptions, name(one.user_id)),
    })),
    ...lead.rejections.map((one) => ({
      at: one.rejection_date,
      text: line(moves.rejections, name(one.user_id), one.rejection_reason),
    })),
    ...lead.escalations.map((one) => ({ at: one.escalation_date, text: moves.escalations })),
    ...lead.calls.map((one) => ({ at: one.call_date, text: line(moves.calls, name(one.user_id)) })),
    ...lead.revocations.map((one) => ({ at: one.revocation_date, text: moves.revocations })),
    { at: lead.created_at, text: texts.leads.created },
  ];
  return all.sort((a, b) => b.at.localeCompare(a.at));
}
