/** The cells of the matrix: prefix × time × third condition × sort × caller, over the contacts of a world. */
import type { DatabaseSync } from "node:sqlite";

export type Third = "none" | "status" | "choice" | "team" | "consent" | "text" | "consent and text";
export type SortName = "default" | "created" | "name";
export type CallerName = "admin" | "member";

/**
 * Values of one world for the conditions: prefixes, a status, a choice, a team, and the time of the newest
 * contact.
 */
export interface Facts {
  readonly companyId: number;
  /** Prefixes of one, two and three letters. */
  readonly prefixes: readonly string[];
  /** `Y-m-d H:i:s` of the newest contact. */
  readonly newest: string;
  readonly status: string;
  readonly choice: { readonly field: string; readonly seq: number; readonly option: string };
  /** A custom text, and the beginning that it is compared with. */
  readonly text: { readonly field: string; readonly seq: number; readonly prefix: string };
  readonly team: number;
  /** The teams whose contacts the member sees, besides those without a team. */
  readonly visible: readonly number[];
}

export interface Cell {
  readonly name: string;
  readonly prefix: string;
  readonly time: Window;
  readonly third: Third;
  readonly sort: SortName;
  readonly caller: CallerName;
}

export interface Window {
  readonly name: string;
  readonly from: string;
  /** Null if the window is open. */
  readonly until: string | null;
}

/** The name of the custom text of the matrix's contacts. */
export const textField = "remark";

const days = { "1w": 7, "1m": 30, "3m": 91, "12m": 365 };
/** A closed window ends a year before the newest contact, so that no list has its rows at the start. */
const closedAgo = 365;

export function makeCells(facts: Facts): Cell[] {
  const windows = Object.entries(days).flatMap(([name, length]): Window[] => [
    { name: `${name} open`, from: before(facts.newest, length), until: null },
    {
      name: `${name} closed`,
      from: before(facts.newest, closedAgo + length),
      until: before(facts.newest, closedAgo),
    },
  ]);
  const thirds: Third[] = ["none", "status", "choice", "team", "consent", "text", "consent and text"];
  const sorts: SortName[] = ["default", "created", "name"];
  const callers: CallerName[] = ["admin", "member"];
  return facts.prefixes.flatMap((prefix) =>
    windows.flatMap((time) =>
      thirds.flatMap((third) =>
        sorts.flatMap((sort) =>
          callers.map((caller): Cell => ({
            name: `${prefix.length} ${time.name}, ${third}, by ${sort}, ${caller}`,
            prefix,
            time,
            third,
            sort,
            caller,
          }))
        )
      )
    )
  );
}

/** The body of `POST /v1/contacts/filter`. */
export function makeFilterBody({ prefix, time, third }: Cell, facts: Facts): string {
  const condition = (field: string, operator: string, value: unknown) => ({ field, operator, value });
  const consent = condition("b2b_contact.consent.email.consent_given", "eq", false);
  const text = condition(`b2b_contact.custom_fields.id.${facts.text.field}`, "sw", facts.text.prefix);
  const thirds = {
    none: [],
    status: [condition("contact.status", "eq", facts.status)],
    choice: [condition(`b2b_contact.custom_fields.id.${facts.choice.field}`, "eq", facts.choice.option)],
    team: [condition("contact.team_id", "eq", facts.team)],
    consent: [consent],
    text: [text],
    "consent and text": [consent, text],
  };
  return JSON.stringify({
    filter: [
      condition("b2b_contact.fixed_fields.last_name", "sw", prefix),
      condition("contact.created_at", "gte", time.from),
      ...(time.until === null ? [] : [condition("contact.created_at", "lt", time.until)]),
      ...thirds[third],
    ],
  });
}

export const sorts = { default: "-last_activity_at", created: "-created_at", name: "last_name" } as const;

/** Returns the facts of the world's only company. `member` is the id of a user. */
export function readFacts(db: DatabaseSync, member: number): Facts {
  const all = (sql: string, ...args: (string | number)[]) => db.prepare(sql).all(...args);
  const one = (sql: string, ...args: (string | number)[]) => all(sql, ...args)[0]!;
  const companyId = Number(one("select company_id as id from users where id = ?", member).id);
  const { newest } = one("select max(created_at) as newest from contacts where company_id = ?", companyId);
  const prefixes: string[] = [];
  // One letter that a twelfth of the names begin with, then its most frequent extensions to two and three
  // letters.
  for (const length of [1, 2, 3]) {
    const ranking = length === 1 ? "abs(count(*) - (select count(*) from contacts) / 12)" : "-count(*)";
    const found = one(
      `select lower(substr(last_name, 1, ${length})) as start from contacts
       where company_id = ?1 and last_name glob '${"[A-Za-z]".repeat(length)}*' and lower(last_name) like ?2
       group by 1 order by ${ranking}, 1`,
      companyId,
      `${prefixes.at(-1) ?? ""}%`,
    );
    prefixes.push(String(found.start));
  }
  const choice = one(
    `select f.seq, f.id as field, o.value ->> 'id' as option from fields f, json_each(f.options) o
     where f.company_id = ? and f.name = 'preferred_model' and o.value ->> 'value' = 'Van'`,
    companyId,
  );
  const text = one(
    "select seq, id as field from fields where company_id = ? and name = ?",
    companyId,
    textField,
  );
  const visible = all(
    `select team_id as id from team_members where user_id = ?1 union
     select other.id from team_members mine join teams own on own.id = mine.team_id
     join teams other on other.group_id = own.group_id where mine.user_id = ?1`,
    member,
  );
  return {
    companyId,
    prefixes,
    newest: String(newest),
    status: "opportunity",
    choice: { field: String(choice.field), seq: Number(choice.seq), option: String(choice.option) },
    text: { field: String(text.field), seq: Number(text.seq), prefix: "k" },
    team: Number(one("select team_id as id from team_members where user_id = ? limit 1", member).id),
    visible: visible.map(({ id }) => Number(id)),
  };
}

function before(time: string, days: number): string {
  const moment = Date.parse(`${time.replace(" ", "T")}Z`) - days * 86_400_000;
  return new Date(moment).toISOString().slice(0, 19).replace("T", " ");
}
