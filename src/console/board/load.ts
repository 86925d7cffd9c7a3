/** Reads the board: the open cases of a process in columns. */
import type { Choice } from "../forms.tsx";
import { creation, forms, readCaseParameters, type ValueForm } from "../parts/parameters.ts";
import { makeChoice, readAll } from "../parts/choices.ts";
import type { Visit } from "../visit.ts";

export interface Card {
  readonly id: string;
  readonly case_number: number;
  readonly status: string;
  readonly account: { readonly name: string | null };
  readonly contact: { readonly name: string | null };
  readonly value: number | null;
  readonly next_task: { readonly type: string; readonly start_at: string; readonly end_at: string } | null;
  readonly latest_activity_at: string | null;
  readonly created_at: string;
}

export interface Milestone {
  readonly id: string;
  readonly name: string;
  readonly set_status: string | null;
}

export interface Column {
  readonly milestone: Milestone | null;
  readonly count: number;
  readonly sum: number;
  readonly data: readonly Card[];
  readonly next: string | null;
}

interface Board {
  readonly relations_path: { readonly id: string };
  readonly columns: readonly Column[];
}

interface Process {
  readonly id: string;
  readonly name: string;
  readonly activity_types: { readonly milestones: readonly Milestone[] };
}

export const shows = ["team", "mine", "all"] as const;

export interface BoardContent {
  /** Null while the company has no process. */
  readonly board: Board | null;
  readonly processes: readonly Choice[];
  /** Whether each card offers the milestones that it may move to, instead of leading to them. */
  readonly offersMilestones: boolean;
  readonly show: typeof shows[number];
  /** Parameters of the address that the board follows. */
  readonly kept: Readonly<Record<string, string>>;
  readonly ignored: readonly string[];
}

/** The values that parameters of the address may have. */
const known: Readonly<Record<string, ValueForm>> = {
  view: forms.caseView,
  show: /^(?:all|mine|team)$/,
  path: forms.uuid,
  search: forms.search,
  users: forms.ids,
  teams: forms.ids,
  lead_types: forms.uuids,
  lead_sources: forms.search,
  created_from_lead: forms.flag,
  ...creation,
};

/** Elements that a board may have, those of a column without cards, and of a card without what it may move to. */
const [most, column, each] = [2_800, 8, 20];
/** Elements of a card that leads to a page where its milestone is chosen. */
const leading = 15;

/** Returns whether a case that reaches the milestone ends. */
export function endsCase({ set_status }: Milestone): boolean {
  return set_status === "closed" || set_status === "declined";
}

/**
 * Returns how many cards a column shows, and whether each offers the milestones that it may move to: of many milestones
 * these would be most of the page. Columns that end cases have no cards.
 */
function planCards(milestones: readonly Milestone[]): { cards: number; offersMilestones: boolean } {
  const left = most - column * (milestones.length + 1);
  const costs = milestones.map((milestone, at) =>
    endsCase(milestone) ? 0 : each + milestones.length - at - 1
  );
  const oneRow = costs.reduce((sum, cost) => sum + cost, each + milestones.length);
  const offersMilestones = oneRow <= left;
  const rowOfLinks = leading * (1 + costs.filter((cost) => cost > 0).length);
  const rows = Math.floor(left / (offersMilestones ? oneRow : rowOfLinks));
  return { cards: Math.min(20, Math.max(1, rows)), offersMilestones };
}

export async function readBoard(visit: Visit): Promise<BoardContent> {
  const { query, call } = visit;
  const { values, ignored } = readCaseParameters(query, known);
  const { show = "team", path, page: _page, view: _view, ...narrowing } = values;
  const found = await readAll<Process>(visit, "listRelationsPaths");
  const shown = show === "all" ? narrowing : { ...narrowing, show };
  const loadBoardOfProcess = ({ id, activity_types }: Process) => {
    const per_column = String(planCards(activity_types.milestones).cards);
    return call<Board>("getBoard", { query: { ...shown, relations_path_id: id, per_column } });
  };
  const asked = found.find(({ id }) => id === path?.toLowerCase());
  const board = asked || found.length < 2
    ? asked ?? found[0] ? await loadBoardOfProcess(asked ?? found[0]!) : null
    : await loadLargest(visit, found, loadBoardOfProcess);
  return {
    board,
    offersMilestones:
      planCards((board?.columns ?? []).flatMap(({ milestone }) => milestone ?? [])).offersMilestones,
    processes: found.map(makeChoice),
    show: show as BoardContent["show"],
    kept: { ...narrowing, show, ...(board ? { path: board.relations_path.id } : {}) },
    ignored: path !== undefined && !asked ? ["path", ...ignored] : ignored,
  };
}

/** Processes whose cases are counted. A company may have a thousand, and each costs a list of cases. */
const mostCompared = 100;

/** Returns the board of the process with the most open cases, read beside the numbers when it is the first one. */
async function loadLargest(
  { call }: Visit,
  processes: readonly Process[],
  loadOne: (process: Process) => Promise<Board>,
): Promise<Board> {
  const [first] = processes;
  const [board, ...totals] = await Promise.all([
    loadOne(first!),
    ...processes.slice(0, mostCompared).map(async ({ id }) => {
      const query = { relations_paths: id, status: "open", per_page: "1", view: "summary" };
      const { pagination } = await call<{ pagination: { total: number } }>("listCases", { query });
      return pagination.total;
    }),
  ]);
  const at = totals.indexOf(Math.max(...totals));
  return at === 0 ? board : await loadOne(processes[at]!);
}
