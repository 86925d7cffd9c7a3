/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A case: how far it is, what can be done, and all that happened. */
import type { Page, View } from "../page.ts";
import { makeCustomer } from "../parts/customer.ts";
import { Fact, RecordFacts } from "../parts/facts.tsx";
import { Files } from "../parts/files.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Badge, Countdown, Email, Phone, type Tone } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { CaseForms } from "./forms.tsx";
import { Correspondence } from "./correspondence.tsx";
import { type CaseContent, readCase } from "./load.ts";
import { Tasks } from "./tasks.tsx";
import { Timeline } from "./timeline.tsx";

export const casePage: Page = {
  path: "/app/cases/:case_id",
  section: "cases",
  live: true,
  opens: { type: "case", param: "case_id" },
  show,
};

async function show(visit: Visit): Promise<View> {
  const content = await readCase(visit);
  const { contact, account } = makeCustomer(content.record);
  const customer = contact ?? account ?? visit.texts.leads.unnamed;
  return {
    title: visit.texts.cases.title(content.record.case_number, customer),
    body: <Body visit={visit} content={content} />,
  };
}

export const caseTones: Readonly<Record<string, Tone>> = { open: "plain", closed: "good", declined: "bad" };

function Body({ visit, content }: { visit: Visit; content: CaseContent }) {
  const { record } = content;
  return (
    <article>
      <Ignored visit={visit} names={content.ignored} />
      <div class="columns">
        <Facts visit={visit} content={content} />
        <Progress visit={visit} content={content} />
      </div>
      <CaseForms visit={visit} content={content} />
      <Tasks visit={visit} content={content} />
      <Files
        visit={visit}
        files={content.files}
        action={`/app/cases/${record.id}/files`}
        changes={visit.may("cases.update")}
      />
      <Correspondence visit={visit} content={content} />
      <Timeline visit={visit} content={content} />
    </article>
  );
}

function Facts({ visit, content: { record } }: { visit: Visit; content: CaseContent }) {
  const { texts } = visit;
  const { user, team, value } = record;
  const { account: company, contact: customer, phone, email } = makeCustomer(record);
  return (
    <RecordFacts visit={visit} entity="case" record={record}>
      <dt>{texts.leads.status}</dt>
      <dd>
        <Badge
          tone={caseTones[record.status] ?? "plain"}
          text={texts.cases.statuses[record.status] ?? record.status}
        />{" "}
        <Countdown visit={visit} at={record.status === "open" ? record.escalates_at : null} />
      </dd>
      {value === null ? null : (
        <>
          <dt>{texts.cases.value}</dt>
          <dd class="number">{visit.formats.money(value)}</dd>
        </>
      )}
      <Fact term={texts.leads.contact}>
        {customer && (
          <a href={`/app/contacts/${record.contact.id}`}>
            <bdi>{customer}</bdi>
          </a>
        )}
      </Fact>
      <Fact term={texts.leads.account}>
        {company && (
          <a href={`/app/accounts/${record.account.id}`}>
            <bdi>{company}</bdi>
          </a>
        )}
      </Fact>
      <Fact term={texts.leads.phone}>{phone && <Phone number={phone} />}</Fact>
      <Fact term={texts.leads.email}>{email && <Email address={email} />}</Fact>
      <Fact term={texts.leads.responsible}>{user && <bdi>{user.name}</bdi>}</Fact>
      <Fact term={texts.leads.team_}>{team && <bdi>{team.name}</bdi>}</Fact>
      <Fact term={texts.leads.process}>
        <bdi>{record.relations_path.name}</bdi>
      </Fact>
      <Fact term={texts.leads.reason}>{record.decline_reason && <bdi>{record.decline_reason}</bdi>}</Fact>
    </RecordFacts>
  );
}

function Progress({ visit, content: { record } }: { visit: Visit; content: CaseContent }) {
  const { texts } = visit;
  return (
    <section aria-labelledby="progress" class="sheet">
      <h2 id="progress">{texts.cases.progress}</h2>
      <ol class="steps" aria-label={texts.cases.progress}>
        {record.milestones.map(({ id, name, done }) => (
          <li data-milestone={id} class={done ? "done" : ""}>
            <bdi>{name}</bdi>
            {done ? <span class="badge good">{texts.cases.done}</span> : null}
          </li>
        ))}
      </ol>
    </section>
  );
}
