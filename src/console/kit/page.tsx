/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** All parts of pages on one page, for those who change them. Only the service for development has it. */
import { formatTimestamp } from "../../core/time.ts";
import {
  AreaField,
  Button,
  Checkbox,
  CheckboxGroup,
  Form,
  RadioGroup,
  SelectField,
  TextField,
} from "../forms.tsx";
import { formatInitials } from "../frame.tsx";
import { sprites } from "../icons.ts";
import type { Page, View } from "../page.ts";
import { Icon } from "../parts/icon.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Badge, Countdown, Email, Moment, Phone, type Tone } from "../parts/values.tsx";
import { type Theme, themes } from "../preferences/schema.ts";
import type { Visit } from "../visit.ts";

export const kitPage: Page = { path: "/app/_kit", section: null, show };

const colours = [
  "ground",
  "sheet",
  "text",
  "quiet",
  "line",
  "edge",
  "accent",
  "tint",
  "good",
  "good-ground",
  "warn",
  "warn-ground",
  "bad",
  "bad-ground",
] as const;
const tones: readonly Tone[] = ["plain", "good", "warn", "bad"];

function show(visit: Visit): Promise<View> {
  const asked = themes.find((theme) => theme === visit.query.get("theme"));
  return Promise.resolve({
    title: "Kit",
    body: <Body visit={visit} asked={asked ?? "auto"} />,
    ...(asked ? { theme: asked } : {}),
  });
}

function Body({ visit, asked }: { visit: Visit; asked: Theme }) {
  return (
    <>
      <nav aria-label="Theme">
        <ul class="tabs">
          {themes.map((theme) => (
            <li key={theme}>
              <a href={`/app/_kit?theme=${theme}`} {...(theme === asked ? { "aria-current": "page" } : {})}>
                {visit.texts.me.themes[theme]}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="colours">
        <h2 id="colours">Colours</h2>
        <ul class="swatches">
          {colours.map((name) => (
            <li key={name}>
              <span class={`swatch ${name}`}></span>
              {name}
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="marks">
        <h2 id="marks">Marks</h2>
        <p class="line">
          {tones.map((tone) => <Badge key={tone} tone={tone} text={tone} />)}
          <span class="avatar" aria-hidden="true">{formatInitials(visit.person.name)}</span>
          {sprites.map((name) => <Icon key={name} name={name} />)}
        </p>
        <p class="status">A change was made.</p>
        <p class="alert">Something is wrong.</p>
      </section>
      <Rows visit={visit} />
      <Controls visit={visit} />
    </>
  );
}

/** Milliseconds from now until the countdowns of the page end: long, soon, at once, and in the past. */
const countdowns = [90, 10, 2, -5].map((minutes) => minutes * 60_000);

function Rows({ visit }: { visit: Visit }) {
  const wire = (ms: number) => formatTimestamp(visit.now + ms);
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">Rows</h2>
      <List of="leads" total={countdowns.length} empty="">
        {countdowns.map((ms) => (
          <li key={ms}>
            <div class="what">
              <a href="/app/_kit">Ada Lovelace</a>
              <span class="sub">Ada Motors · Website · Estate</span>
            </div>
            <Countdown visit={visit} at={wire(ms)} />
            <Moment visit={visit} at={wire(0)} />
            <Phone number="+44 20 7946 0000" />
            <Email address="ada@example.com" />
            <button type="button" class="quiet">{visit.texts.leads.accept}</button>
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={{ total: 75, page: 2, per_page: 25 }} />
      <List
        of="cases"
        total={0}
        empty={visit.texts.cases.empty}
        action={{ href: "/app/_kit", text: visit.texts.customers.newCase }}
      />
    </section>
  );
}

function Controls({ visit: { forms, texts } }: { visit: Visit }) {
  const action = "/app/_kit";
  const field = { forms, action };
  const choices = ["One", "Two", "Three"].map((text) => ({ value: text, text }));
  return (
    <section aria-labelledby="controls">
      <h2 id="controls">Controls</h2>
      <Form {...field} name="Controls" class="sheet">
        <div class="fields">
          <TextField {...field} name="text" label="Text" hint="A hint stands below." value="Ada" />
          <SelectField {...field} name="select" label="Choice" choices={choices} />
          <TextField {...field} type="datetime-local" name="moment" label="Moment" />
        </div>
        <AreaField {...field} name="area" label="Lines" />
        <div class="columns">
          <RadioGroup {...field} name="radio" label="One of" value="Two" choices={choices} />
          <CheckboxGroup {...field} name="boxes" label="Some of" values={["Three"]} choices={choices} />
        </div>
        <Checkbox {...field} name="box" label="Yes or no" checked />
        <details>
          <summary>{texts.more}</summary>
          <p>Hidden until it is asked for.</p>
        </details>
        <div class="line">
          <Button>Main</Button>
          <Button kind="quiet">Quiet</Button>
          <Button kind="bad">Bad</Button>
        </div>
      </Form>
    </section>
  );
}
