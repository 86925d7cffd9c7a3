/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A contact: who they are, what they agreed to, and what happened. */
import { contactTones } from "../account/contact_row.tsx";
import { findRecordName } from "../account/load.ts";
import { CaseRow } from "../cases/page.tsx";
import type { Page, View } from "../page.ts";
import { Fact, FieldFacts, RecordFacts } from "../parts/facts.tsx";
import { Files } from "../parts/files.tsx";
import { Links } from "../parts/links.tsx";
import { List, ShowAll } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Notes } from "../parts/notes.tsx";
import { Badge, Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { consents } from "./form.tsx";
import { type ContactContent, readContact } from "./load.ts";

export const contactPage: Page = {
  path: "/app/contacts/:contact_id",
  section: "customers",
  opens: { type: "contact", param: "contact_id" },
  show,
};

async function show(visit: Visit): Promise<View> {
  const content = await readContact(visit);
  return {
    title: findRecordName(content.contact, visit.texts.leads.unnamed),
    body: <Body visit={visit} content={content} />,
  };
}

function Body({ visit, content }: { visit: Visit; content: ContactContent }) {
  const { texts: { customers: texts, merging }, may } = visit;
  const { contact, cases, notes, files } = content;
  const address = `/app/contacts/${contact.id}`;
  const newCase = may("cases.create") &&
    { href: `/app/cases/new?contact_id=${contact.id}`, text: texts.newCase };
  return (
    <article>
      <Ignored visit={visit} names={content.ignored} />
      <Links
        links={[
          may("customers.update") && { href: `${address}/edit`, text: texts.edit },
          newCase,
          may("customers.delete") && { href: `${address}/merge`, text: merging.link, isRare: true },
          may("customers.delete") && { href: `${address}/delete`, text: texts.delete, isRare: true },
        ]}
      />
      <div class="columns">
        <Details visit={visit} content={content} />
        <Consent visit={visit} content={content} />
      </div>
      <section aria-labelledby="cases">
        <h2 id="cases">{texts.cases}</h2>
        <List of="cases" total={cases.pagination.total} empty={texts.noCases} action={newCase || null}>
          {cases.data.map((entry) => <CaseRow key={entry.id} visit={visit} entry={entry} />)}
        </List>
        <ShowAll visit={visit} of={cases} href={`/app/cases?view=list&contact_ids=${contact.id}`} />
      </section>
      <Notes visit={visit} notes={notes} action={`${address}/notes`} />
      <Files visit={visit} files={files} action={`${address}/files`} changes={may("customers.update")} />
    </article>
  );
}

function Details({ visit, content: { contact } }: { visit: Visit; content: ContactContent }) {
  const { texts } = visit;
  const { account } = contact;
  return (
    <RecordFacts visit={visit} entity="contact" record={contact}>
      <Fact term={texts.leads.status}>
        <Badge
          tone={contactTones[contact.status] ?? "plain"}
          text={texts.customers.statuses[contact.status] ?? contact.status}
        />
      </Fact>
      <Fact term={texts.leads.account}>
        <a href={`/app/accounts/${account.id}`}>
          <bdi>{account.name ?? texts.leads.unnamed}</bdi>
        </a>
      </Fact>
      <FieldFacts visit={visit} record={contact} />
      <Fact term={texts.leads.responsible}>{contact.user && <bdi>{contact.user.name}</bdi>}</Fact>
      <Fact term={texts.leads.created}>
        <Moment visit={visit} at={contact.created_at} />
      </Fact>
    </RecordFacts>
  );
}

function Consent({ visit, content: { contact } }: { visit: Visit; content: ContactContent }) {
  const { texts: { customers: texts } } = visit;
  return (
    <section aria-labelledby="consent" class="sheet">
      <h2 id="consent">{texts.consent}</h2>
      <dl class="facts">
        {consents.map((channel) => {
          const given = contact.consent[channel]?.consent_given ?? null;
          return (
            <Fact key={channel} term={texts.channels[channel]}>
              <Badge
                tone={given === null ? "plain" : given ? "good" : "bad"}
                text={given === null ? texts.notAsked : given ? texts.given : texts.refused}
              />
            </Fact>
          );
        })}
      </dl>
    </section>
  );
}
