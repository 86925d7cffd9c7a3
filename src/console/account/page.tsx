/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** An account: who they are, its people, and what happened. */
import { CaseRow } from "../cases/page.tsx";
import type { Page, View } from "../page.ts";
import { Links } from "../parts/links.tsx";
import { Fact, FieldFacts, RecordFacts } from "../parts/facts.tsx";
import { Files } from "../parts/files.tsx";
import { List, ShowAll } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Notes } from "../parts/notes.tsx";
import { Moment } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { type AccountContent, findRecordName, readAccount } from "./load.ts";
import { ContactRow } from "./contact_row.tsx";

export const accountPage: Page = {
  path: "/app/accounts/:account_id",
  section: "customers",
  opens: { type: "account", param: "account_id" },
  show,
};

async function show(visit: Visit): Promise<View> {
  const content = await readAccount(visit);
  return {
    title: findRecordName(content.account, visit.texts.leads.unnamed),
    body: <Body visit={visit} content={content} />,
  };
}

function Body({ visit, content }: { visit: Visit; content: AccountContent }) {
  const { texts: { customers: texts, merging }, may } = visit;
  const { account, contacts, cases, notes, files } = content;
  const address = `/app/accounts/${account.id}`;
  const [first] = contacts.data;
  const newCase = may("cases.create") && first
    ? { href: `/app/cases/new?contact_id=${first.id}`, text: texts.newCase }
    : null;
  const mayAdd = may("customers.create") && !(account.b2c && contacts.pagination.total > 0);
  const newContact = mayAdd ? { href: `${address}/contacts/new`, text: texts.newContact } : null;
  return (
    <article>
      <Ignored visit={visit} names={content.ignored} />
      <Links
        links={[
          may("customers.update") && { href: `${address}/edit`, text: texts.edit },
          newContact,
          newCase,
          may("customers.delete") && { href: `${address}/merge`, text: merging.link, isRare: true },
          may("customers.delete") && { href: `${address}/delete`, text: texts.delete, isRare: true },
        ]}
      />
      <div class="columns">
        <Details visit={visit} content={content} />
        <section aria-labelledby="contacts">
          <h2 id="contacts">{texts.contacts}</h2>
          <List of="contacts" total={contacts.pagination.total} empty={texts.noContacts} action={newContact}>
            {contacts.data.map((contact) => (
              <ContactRow key={contact.id} visit={visit} contact={contact} within />
            ))}
          </List>
          <ShowAll
            visit={visit}
            of={contacts}
            href={`/app/customers?kind=contacts&field=contact.account.id&operator=eq&value=${account.id}`}
          />
        </section>
      </div>
      <section aria-labelledby="cases">
        <h2 id="cases">{texts.cases}</h2>
        <List of="cases" total={cases.pagination.total} empty={texts.noCases} action={newCase}>
          {cases.data.map((entry) => <CaseRow key={entry.id} visit={visit} entry={entry} />)}
        </List>
        <ShowAll visit={visit} of={cases} href={`/app/cases?view=list&account_ids=${account.id}`} />
      </section>
      <Notes visit={visit} notes={notes} action={null} />
      <Files visit={visit} files={files} action={`${address}/files`} changes={may("customers.update")} />
    </article>
  );
}

function Details({ visit, content: { account, team } }: { visit: Visit; content: AccountContent }) {
  const { texts } = visit;
  return (
    <RecordFacts visit={visit} entity="account" record={{ id: account.id }}>
      <FieldFacts visit={visit} record={account} />
      <Fact term={texts.leads.kind}>
        {account.b2c ? texts.leads.privatePerson : texts.leads.company}
      </Fact>
      <Fact term={texts.leads.responsible}>{account.user && <bdi>{account.user.name}</bdi>}</Fact>
      <Fact term={texts.leads.team_}>{team && <bdi>{team.name}</bdi>}</Fact>
      <Fact term={texts.leads.created}>
        <Moment visit={visit} at={account.created_at} />
      </Fact>
    </RecordFacts>
  );
}
