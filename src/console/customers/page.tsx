/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The lists of contacts and of accounts. */
import { ContactRow } from "../account/contact_row.tsx";
import { type AccountRecord, findRecordName } from "../account/load.ts";
import { ExportForm } from "../parts/export_form.tsx";
import { importsPath } from "../imports/page.tsx";
import type { Page, View } from "../page.ts";
import { explainEmpty } from "../parts/empty.ts";
import { FindForm } from "../parts/find.tsx";
import { Links } from "../parts/links.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Email, Phone } from "../parts/values.tsx";
import { What } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { Faults, FilterForm } from "./filter_form.tsx";
import { customersPath, kinds } from "./kinds.ts";
import { type CustomersContent, narrowing, readCustomers, sorts } from "./load.ts";
import { SavedViews, SaveView } from "./saved_views.tsx";

export const customersPage: Page = { path: customersPath, section: "customers", show };

/** The parameters that the search keeps: those of the filter, and those that no form shows. */
const kept = ["field", "operator", "value", "filter", "filter_id", ...narrowing];

async function show(visit: Visit): Promise<View> {
  const content = await readCustomers(visit);
  return { title: visit.texts.sections.customers, body: <Body visit={visit} content={content} /> };
}

function Body({ visit, content }: { visit: Visit; content: CustomersContent }) {
  const { texts: { customers: texts, cases }, may, query } = visit;
  const { kind, contacts, accounts } = content;
  const newAccount = may("customers.create") ? { href: "/app/accounts/new", text: texts.newAccount } : null;
  const { pagination } = (contacts ?? accounts)!;
  return (
    <>
      <Ignored visit={visit} names={content.ignored} />
      <Faults visit={visit} content={content} />
      <ul class="tabs">
        {kinds.map((one) => (
          <li key={one}>
            <a href={`/app/customers?kind=${one}`} {...(one === kind ? { "aria-current": "page" } : {})}>
              {texts[one]}
            </a>
          </li>
        ))}
      </ul>
      <SavedViews visit={visit} content={content} />
      <Links
        links={[
          newAccount && { ...newAccount, isMain: true },
          may("imports.manage") && { href: importsPath, text: visit.texts.imports.title },
        ]}
      />
      <FindForm
        visit={visit}
        action={customersPath}
        name={texts.find}
        kept={{ kind, ...Object.fromEntries(kept.map((name) => [name, query.getAll(name)])) }}
        choices={[{
          name: "sort",
          label: cases.sort,
          chosen: query.get("sort"),
          options: sorts[kind].map((value) => ({ value, text: texts.sorts[value.replace("-", "")]! })),
          any: false,
        }]}
      />
      <div class="folds">
        <ExportForm
          visit={visit}
          action={`${customersPath}/export?${query}`}
          filter={content.filter}
          hint={query.get("search") ? visit.texts.exporting.withoutSearch : null}
        />
        <Narrowing visit={visit} content={content} />
      </div>
      <List
        of={kind}
        total={pagination.total}
        {...explainEmpty(visit, {
          home: `${customersPath}?kind=${kind}`,
          besides: ["kind", "page", "sort", "add", "field", "operator"],
          isFiltered: content.filter.length > 0,
          usual: { empty: texts.empty, action: newAccount },
        })}
      >
        {contacts?.data.map((contact) => <ContactRow key={contact.id} visit={visit} contact={contact} />)}
        {accounts?.data.map((account) => <AccountRow key={account.id} visit={visit} account={account} />)}
      </List>
      <Pages visit={visit} pagination={pagination} />
    </>
  );
}

/** The filter. On a telephone it is closed, so that the list begins on the first screen; its summary says what holds. */
function Narrowing({ visit, content }: { visit: Visit; content: CustomersContent }) {
  const { leads, filter: texts } = visit.texts;
  const { asked: { rows, rest }, faults } = content;
  const given = rows.length + rest.length;
  return (
    <details
      class="narrowing"
      {...(faults.length > 0 || visit.query.has("add") ? { open: true } : {})}
    >
      <summary>{given === 0 ? leads.filter : texts.given(given)}</summary>
      <FilterForm visit={visit} content={content} />
      <SaveView visit={visit} content={content} />
    </details>
  );
}

function AccountRow({ visit, account }: { visit: Visit; account: AccountRecord }) {
  const { texts } = visit;
  const getFixedText = (name: string) => {
    const value = account.fixed_fields.find((field) => field.name === name)?.value;
    return typeof value === "string" && value !== "" ? value : null;
  };
  const place = [getFixedText("zip_code"), getFixedText("city")].filter(Boolean).join(" ");
  return (
    <li data-entity="account" data-id={account.id} id={`account-${account.id}`}>
      <What
        href={`/app/accounts/${account.id}`}
        name={findRecordName(account, texts.leads.unnamed)}
        about={[place, account.user?.name]}
      />
      {account.b2c ? <span class="badge">{texts.leads.privatePerson}</span> : null}
      <Phone number={getFixedText("phone_number")} />
      <Email address={getFixedText("email")} />
    </li>
  );
}
