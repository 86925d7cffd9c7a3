/**
 * The best pair of statements, for page and count, that a person would write for a cell over the indexes of
 * the schema. Each candidate names its index. All of them run, and the fastest page and the fastest count
 * make the pair.
 */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Cell, Facts } from "./cells.ts";

/** One statement with its values by name. */
export interface Query {
  readonly name: string;
  readonly sql: string;
}

export interface HandWritten {
  readonly values: Readonly<Record<string, SQLInputValue>>;
  readonly pages: readonly Query[];
  readonly counts: readonly Query[];
}

export interface Index {
  readonly name: string;
  /** The columns after `company_id`. An expression is its text. */
  readonly columns: readonly string[];
}

/** The rows of a page, and one more, which shows whether another page follows. */
const limit = 16;

const orders = {
  default: { column: "last_activity_at", direction: "desc" },
  created: { column: "created_at", direction: "desc" },
  name: { column: "last_name_key", direction: "asc" },
} as const;

/** The indexes of contacts that begin with the company. */
export function readIndexes(db: DatabaseSync): Index[] {
  const found = db.prepare(
    "select name, sql from sqlite_schema where type = 'index' and tbl_name = 'contacts' and sql is not null",
  ).all();
  return found.flatMap(({ name, sql }) => {
    const list = /\(\s*[`"]?company_id[`"]?\s*,(.*)\)/s.exec(String(sql).split(/\)\s*WHERE/i)[0] + ")")?.[1];
    if (list === undefined) return [];
    return [{
      name: String(name),
      columns: list.split(",").map((column) => column.replaceAll(/[`"\s]+/g, " ").trim()),
    }];
  });
}

/** Returns the expression of the folded last name in the index of the schema. */
export function foldedName(indexes: readonly Index[]): string {
  const found = indexes.find(({ name }) => name.endsWith("_last_name"))?.columns[0];
  if (found === undefined) throw new Error("contacts have no index by their folded last names");
  return found;
}

export function handWritten(cell: Cell, facts: Facts, indexes: readonly Index[]): HandWritten {
  const name = foldedName(indexes);
  const teams = listTeams(cell, facts);
  const { column, direction } = orders[cell.sort];
  const within = (alias: string) =>
    `${alias}.company_id = $company and ${name} >= $prefix and ${name} < $end and ${alias}.created_at >= $from` +
    `${cell.time.until === null ? "" : ` and ${alias}.created_at < $until`} and ${alias}.b2c = 0`;
  const restrictToSeen = (alias: string) => {
    const noTeam = teams?.includes(null) ? `+${alias}.team_id is null or ` : "";
    return teams === null ? "" : ` and (${noTeam}+${alias}.team_id in (select value from json_each($teams)))`;
  };
  const order = (alias: string) => ` order by ${alias}.${column} ${direction}, ${alias}.id ${direction}`;
  const pages: Query[] = [];
  const counts: Query[] = [];
  const add = (label: string, from: string, where: string) => {
    counts.push({ name: label, sql: `select count(*) as n from ${from} where ${where}` });
    pages.push({
      name: label,
      sql: selectPage(`select c.seq from ${from} where ${where}${order("c")} limit ${limit}`),
    });
  };
  const selectPage = (seqs: string) =>
    `select c.* from contacts c where c.seq in (${seqs})${order("c")} limit ${limit}`;
  const choices = "select v.owner from custom_values v where v.field = $field and v.text = $option";
  const text = {
    row:
      " and exists (select 1 from custom_values v where v.field = $textField and v.text >= $text and v.text < $textEnd and v.owner = c.seq)",
    set:
      " and c.seq in (select v.owner from custom_values v where v.field = $textField and v.text >= $text and v.text < $textEnd)",
  };
  const thirds: Readonly<Record<Cell["third"], Readonly<Record<string, string>>>> = {
    none: { row: "" },
    team: { row: "" },
    status: {
      row: " and c.status = $status",
      set:
        " and c.seq in (select s.seq from contacts s where s.company_id = $company and s.status = $status)",
    },
    consent: { row: " and c.consent_email = 0" },
    text,
    "consent and text": {
      row: ` and c.consent_email = 0${text.row}`,
      set: ` and c.consent_email = 0${text.set}`,
    },
    choice: {
      row:
        " and exists (select 1 from custom_values v where v.field = $field and v.text = $option and v.owner = c.seq)",
      set: ` and c.seq in (${choices})`,
    },
  };
  const useful = new Set([name, "created_at", column, ...(cell.third === "status" ? ["status"] : [])]);
  const ofTeams = teams === null ? [] : indexes.filter(({ columns }) => columns[0] === "team_id");
  for (const [form, third] of Object.entries(thirds[cell.third])) {
    for (const index of indexes.filter(({ columns }) => useful.has(columns[0]!))) {
      add(
        `${index.name}, ${form}`,
        `contacts c indexed by ${index.name}`,
        within("c") + restrictToSeen("c") + third,
      );
    }
    for (const index of ofTeams.filter(({ columns }) => useful.has(columns[1]!))) {
      const from = `json_each($streams) t cross join contacts c indexed by ${index.name}`;
      add(`${index.name}, ${form}`, from, `c.team_id is t.value and ${within("c")}${third}`);
      pages.push({
        name: `${index.name} by team, ${form}`,
        sql: selectPage(
          teams!.map((team) =>
            `select * from (select c.seq from contacts c indexed by ${index.name} where c.team_id is ${team} and ` +
            `${within("c")}${third}${order("c")} limit ${limit})`
          ).join(" union all "),
        ),
      });
    }
    // Goes from one name to the next, and reads the rows of each name that are within the time.
    const names =
      `with recursive v(value) as (select (select ${name} from contacts where company_id = $company and ` +
      `${name} >= $prefix and ${name} < $end order by 1 limit 1) union all select (select ${name} from contacts ` +
      `where company_id = $company and ${name} > v.value and ${name} < $end order by 1 limit 1) from v ` +
      "where v.value is not null)";
    const index = indexes.find(({ columns }) => columns[0] === name)!;
    const restricted = restrictToSeen("c");
    const inTurn = within("c").replace(`${name} >= $prefix and ${name} < $end`, `${name} = v.value`);
    add(
      `names in turn, ${form}`,
      `(${names} select value from v where value is not null) v cross join contacts c indexed by ${index.name}`,
      `${inTurn}${restricted}${third}`,
    );
    // Reads in the order of the list, and checks each row against the set of all matches.
    const sorted = indexes.find(({ columns }) => columns[0] === column);
    if (sorted) {
      const matching = `select c.seq from contacts c indexed by ${index.name}
        where ${within("c")}${restrictToSeen("c")}${third}`;
      pages.push({
        name: `${sorted.name} against a set, ${form}`,
        sql: selectPage(
          `select c.seq from contacts c indexed by ${sorted.name} where c.company_id = $company and ` +
            `+c.seq in (${matching})${order("c")} limit ${limit}`,
        ),
      });
    }
  }
  if (cell.third === "choice") {
    const restricted = restrictToSeen("c");
    add(
      "custom_values_by_text",
      "custom_values v indexed by custom_values_by_text cross join contacts c",
      "v.field = $field and v.text = $option and c.seq = v.owner and " +
        `${within("+c").replaceAll("++", "+")}${restricted}`,
    );
  }
  if (cell.third.endsWith("text")) {
    const consent = cell.third === "text" ? "" : " and +c.consent_email = 0";
    add(
      "custom_values_by_text",
      "custom_values v indexed by custom_values_by_text cross join contacts c",
      "v.field = $textField and v.text >= $text and v.text < $textEnd and c.seq = v.owner and " +
        `${within("+c").replaceAll("++", "+")}${restrictToSeen("c")}${consent}`,
    );
  }
  const every = {
    company: facts.companyId,
    prefix: cell.prefix,
    end: findEnd(cell.prefix),
    from: cell.time.from,
    until: cell.time.until,
    status: facts.status,
    field: facts.choice.seq,
    option: facts.choice.option,
    textField: facts.text.seq,
    text: facts.text.prefix,
    textEnd: findEnd(facts.text.prefix),
    teams: JSON.stringify((teams ?? []).filter((team) => team !== null)),
    streams: JSON.stringify(teams),
  };
  return { values: every, pages, counts };
}

/** Returns the first text after all that begin with the prefix. */
function findEnd(prefix: string): string {
  return prefix.slice(0, -1) + String.fromCodePoint(prefix.codePointAt(prefix.length - 1)! + 1);
}

/**
 * Returns the teams of the cell; a null among them means contacts without a team. Returns null for all teams.
 */
function listTeams(cell: Cell, facts: Facts): (number | null)[] | null {
  if (cell.third === "team") return [facts.team];
  return cell.caller === "admin" ? null : [null, ...facts.visible];
}
