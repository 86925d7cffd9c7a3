/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** The frame of every page: banner, navigation, the status, and the content. */
import { raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { Mark } from "../identity/auth/pages/brand.tsx";
import { getAssetPath } from "./assets.ts";
import type { Forms } from "./shown_forms.ts";
import { type Node, type Section, sections, type View } from "./page.ts";
import { Icon } from "./parts/icon.tsx";
import { SearchBox } from "./parts/search_box.tsx";
import type { Theme } from "./preferences/schema.ts";
import type { WrittenLanguage } from "../core/languages.ts";
import { languages } from "./texts/languages.ts";

const addresses: Readonly<Record<Section, string>> = {
  today: "/app",
  leads: "/app/leads",
  cases: "/app/cases",
  administration: "/app/admin",
  customers: "/app/customers",
};
/** The key after "g" that leads to a section; `script/keys.ts` has the same. */
const letters: Readonly<Partial<Record<Section, string>>> = {
  today: "t",
  leads: "l",
  cases: "c",
  customers: "u",
};
/** The sections of the bottom bar of a telephone. */
const always: readonly Section[] = ["today", "leads", "cases", "customers"];

/** Who is at the console; null for pages without a session. */
export interface Visitor {
  readonly name: string;
  readonly unread: number;
  /** Whether Administration is offered. */
  readonly administers: boolean;
  readonly userId: number;
  readonly theme: Theme;
  /** Whether keys act alone. */
  readonly shortcuts: boolean;
}

interface Props {
  readonly language: WrittenLanguage;
  readonly view: View;
  readonly section: Section | null;
  readonly visitor: Visitor | null;
  readonly live?: boolean;
  /** The text of the status. */
  readonly status?: string;
  /** The form that takes back what the status reports. */
  readonly undo?: Node | null;
  readonly forms: Forms | null;
}

export async function Frame(
  { language, view, section, visitor, live, status, undo, forms }: Props,
) {
  const { title } = view;
  // Fields note their faults for the alert, which stands above them.
  const content = await renderNode(view.body);
  const texts = languages[language];
  const theme = view.theme ?? visitor?.theme ?? "auto";
  return (
    <html lang={language} {...(theme === "auto" ? {} : { "data-theme": theme })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${texts.product}`}</title>
        <meta name="color-scheme" content={theme === "auto" ? "light dark" : theme} />
        <meta
          name="htmx-config"
          content='{"defaultSwap":"outerMorph","includeIndicatorCSS":false,"defaultTimeout":20000,"history":"reload"}'
        />
        <link rel="icon" type="image/svg+xml" href={getAssetPath("icon.svg")} />
        <link rel="stylesheet" href={getAssetPath("console.css")} />
        <script src={getAssetPath("htmx.js")} defer></script>
        <script src={getAssetPath("console.js")} defer></script>
      </head>
      <body
        hx-boost:inherited="true"
        {...(visitor ? { "data-person": String(visitor.userId) } : { class: "alone" })}
        {...(visitor && !visitor.shortcuts ? { "data-shortcuts": "off" } : {})}
        {...(live ? { "data-live": "true" } : {})}
      >
        <a class="skip" href="#content">{texts.skip}</a>
        <header class="banner">
          <a class="brand" href="/app">
            <Mark />
            <span>{texts.product}</span>
          </a>
          {visitor ? <SearchBox texts={texts} asked={view.asked ?? ""} /> : null}
          {visitor ? <Visitor {...visitor} language={language} /> : null}
        </header>
        {visitor
          ? <Navigation section={section} language={language} administers={visitor.administers} />
          : null}
        <main id="content" tabindex={-1} {...(view.wide ? { class: "wide" } : {})}>
          <div id="status" role="status" class="status">{status ?? ""}{undo ?? null}</div>
          <div id="notices"></div>
          <Alert forms={forms} />
          <h1>{title}</h1>
          {content}
        </main>
        {visitor ? <Shortcuts language={language} /> : null}
      </body>
    </html>
  );
}

function Visitor({ name, unread, language }: Visitor & { language: WrittenLanguage }) {
  const texts = languages[language];
  return (
    <>
      <a
        class="bell"
        id="notifications"
        href="/app/notifications"
        aria-label={unread > 0 ? texts.unread(unread) : texts.notifications}
      >
        <Icon name="bell" />
        {unread > 0 ? <span class="count" aria-hidden="true">{unread > 99 ? "99+" : unread}</span> : null}
      </a>
      <a class="person" href="/app/me">
        <span class="avatar" aria-hidden="true">{formatInitials(name)}</span>
        <bdi>{name}</bdi>
      </a>
    </>
  );
}

/** The keys that act alone. The script opens it. */
function Shortcuts({ language }: { language: WrittenLanguage }) {
  const { shortcuts: texts, sections: names } = languages[language];
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{texts.title}</h2>
      <dl>
        <Keys keys={["/", "Ctrl+K"]} means={texts.search} />
        <Keys keys={["j", "k"]} means={texts.move} />
        <Keys keys={["Enter"]} means={texts.open} />
        {sections.filter((one) => letters[one]).map((one) => (
          <Keys key={one} keys={[`g ${letters[one]}`]} means={names[one]} />
        ))}
        <Keys keys={["?"]} means={texts.help} />
        <Keys keys={["Esc"]} means={texts.close} />
      </dl>
      <button type="button" class="quiet" data-close="">{texts.close}</button>
    </dialog>
  );
}

function Keys({ keys, means }: { readonly keys: readonly string[]; readonly means: string }) {
  return (
    <>
      <dt>{keys.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
      <dd>{means}</dd>
    </>
  );
}

function Navigation({ section, language, administers }: {
  readonly section: Section | null;
  readonly language: WrittenLanguage;
  readonly administers: boolean;
}) {
  const texts = languages[language];
  const link = (one: Section) => (
    <li>
      <a href={addresses[one]} {...(one === section ? { "aria-current": "page" } : {})}>
        <Icon name={one} />
        {texts.sections[one]}
      </a>
    </li>
  );
  const rest = sections.filter((one) => !always.includes(one) && (one !== "administration" || administers));
  return (
    <nav aria-label={texts.main} class="main">
      <ul>{always.map(link)}</ul>
      {rest.length > 0
        ? (
          <details class="more">
            <summary>
              <Icon name="more" />
              {texts.more}
            </summary>
            <ul>{rest.map(link)}</ul>
          </details>
        )
        : null}
    </nav>
  );
}

/** What is wrong with the form that was sent, with links to its fields. */
function Alert({ forms }: { forms: Forms | null }) {
  const refused = forms?.refused;
  if (!forms || !refused) return null;
  if (refused.status === 200) return <span hidden data-refused="" />;
  const left = forms.listLeft();
  const links = refused.links ?? [];
  return (
    <div class="alert" role="alert" data-refused="">
      {refused.alert === null ? <p>{forms.texts.alerts.faults}</p> : <p>{refused.alert}</p>}
      {forms.shown.length + left.length + links.length === 0 ? null : (
        <ul>
          {forms.shown.map(({ id, label, text }) => (
            <li>
              <a href={`#${id}`}>{`${label}: ${text}`}</a>
            </li>
          ))}
          {left.map((text) => <li key={text}>{text}</li>)}
          {links.map(({ href, text }) => (
            <li key={href}>
              <a href={href}>
                <bdi>{text}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the HTML of a node, when its parts that wait are there too. */
export async function renderNode(node: Node): Promise<HtmlEscapedString> {
  return raw(await (await node).toString());
}

export function formatInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => word === undefined ? "" : String.fromCodePoint(word.codePointAt(0)!))
    .join("")
    .toUpperCase();
}
