/**
 * Measures how long a server keeps other calls waiting, independent of the load of the machine: by the
 * processor time that the serving thread takes for each turn of its event loop. If other programs slow down
 * the processors, a turn counts as long as on a quiet machine.
 */
import { projectRoot, runOfTests, type Server, startProcess } from "./process.ts";
import type { TestApp } from "./app.ts";

export interface MeasuredServer {
  readonly server: Server;
  /**
   * Returns the milliseconds of processor time that 95 of 100 calls wait while `happens` runs, and the
   * longest turn.
   */
  waits(happens: () => Promise<unknown>): Promise<Waits>;
  /**
   * Returns the first run whose longest turn takes less than `bound` milliseconds, or else the run, of three,
   * whose longest turn is the shortest. The work of the service itself occurs in each run, a pause of the
   * garbage collector does not.
   */
  calmest(bound: number, happens: () => Promise<unknown>): Promise<Waits>;
}

export interface Waits {
  readonly p95: number;
  readonly most: number;
}

/** Milliseconds that the known task of the server takes on a quiet machine. */
const quiet = 110;

export async function startMeasured(app: TestApp): Promise<MeasuredServer> {
  const server = await startProcess(
    [...runOfTests, `${projectRoot}tests/support/fixtures/turns_server.ts`],
    {
      DATABASE_URL: `file:${app.file}`,
      STORAGE_URL: `file:${app.folder}/files`,
      NOW: String(app.clock.now()),
      LOG_LEVEL: "error",
    },
  );
  const measuring = await server.line(
    (line) => /"event":"measuring","at":"([^"]+)"/.exec(line)?.[1] ?? null,
    20_000,
  );
  const readMeasured = async (): Promise<{ turns: number[]; known: number }> =>
    await (await fetch(measuring)).json();
  const waits: MeasuredServer["waits"] = async (happens) => {
    const before = await readMeasured();
    await happens();
    const { turns, known } = await readMeasured();
    const slowness = Math.max(1, Math.min(before.known, known) / quiet);
    return computeWaits(turns.map((turn) => turn / slowness));
  };
  return {
    server,
    waits,
    async calmest(bound, happens) {
      const runs: Waits[] = [];
      do runs.push(await waits(happens)); while (runs.at(-1)!.most >= bound && runs.length < 3);
      return runs.reduce((best, run) => run.most < best.most ? run : best);
    },
  };
}

/**
 * Computes the waits of calls at any moment: a call waits for the rest of the turn, and for the next turn.
 */
function computeWaits(turns: readonly number[]): Waits {
  const waits: number[] = [];
  turns.forEach((turn, place) => {
    for (let left = turn; left > 0; left--) waits.push(left + (turns[place + 1] ?? 0));
  });
  waits.sort((a, b) => a - b);
  return { p95: waits[Math.floor(waits.length * 0.95)] ?? 0, most: Math.max(0, ...turns) };
}
