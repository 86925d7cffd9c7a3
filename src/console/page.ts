/**
 * What a page of the console declares. `console.ts` lists the pages; `serve.ts` adds them to the app with the steps
 * that they share.
 */
import type { HtmlEscapedString } from "hono/utils/html";
import type { Message } from "./message.ts";
import type { RecentType } from "./recent/note_opened.ts";
import type { Theme } from "./preferences/schema.ts";
import type { Visit } from "./visit.ts";

/** Rendered JSX. */
export type Node = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The entries of the main navigation, in order. Only delivered ones are listed. */
export const sections = ["today", "leads", "cases", "customers", "administration"] as const;
export type Section = typeof sections[number];

/** The content of a page inside the frame. */
export interface View {
  /** The text of the `h1` and of the title. */
  readonly title: string;
  readonly body: Node;
  /** What the search box has. */
  readonly asked?: string;
  /** The theme that it has in place of the person's. */
  readonly theme?: Theme;
  /** Whether it takes the whole width of the window, as the board does. */
  readonly wide?: true;
  /** Whether it renews itself while it is open, where not all of the page's views do. */
  readonly live?: true;
}

export interface Page {
  /** The path, such as `/app/leads/:lead_id`. */
  readonly path: string;
  /** The entry of the navigation that the page belongs to. */
  readonly section: Section | null;
  /** Whether the page renews itself while it is open. */
  readonly live?: true;
  /** The record that it shows, by the parameter of its path that has the id. */
  readonly opens?: { readonly type: RecentType; readonly param: string };
  /** Returns the content, or the path to go to instead. */
  readonly show: (visit: Visit) => Promise<View | Redirect | Framed | Download>;
}

/** Stored HTML, which is shown inside of a page, alone in its frame. */
export interface Framed {
  readonly framed: string;
}

/** A text that the browser stores as a file. */
export interface Download {
  readonly file: string;
  /** The media type. */
  readonly type: string;
  readonly name: string;
}

export interface Redirect {
  /** A path of the service. */
  readonly to: string;
}

/** The target of a form. */
export interface Action {
  readonly path: string;
  /** The page that shows the form. It is shown again when the change is refused. */
  readonly page: Page;
  /** The largest body in bytes; by default that of forms without files. */
  readonly limit?: number;
  /** Whether it gives the session another cookie; sent twice, it comes with the earlier one. */
  readonly renews?: true;
  /** Returns where the change leads to, or a content that is shown this once. */
  readonly run: (visit: Visit) => Promise<Done | View>;
}

/** A change that was made, or a question that comes before it. */
export interface Done extends Redirect {
  /** Shown once on the next page; null for a question. */
  readonly message: Message | null;
  /** What becomes of the session: it gets another cookie, or it ends. */
  readonly session?: "renewed" | "ended";
}
