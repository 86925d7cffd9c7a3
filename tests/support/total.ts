/** Adds up what several runs of `deno test` print at their ends. */
import { stripVTControlCharacters } from "node:util";

/** A run's last line: `ok | 13 passed (2 steps) | 0 failed | 1 ignored (84ms)`. */
const lastLine = /^(?:ok|FAILED) \| (\d+ passed\b.*) \([^()]*\)$/gm;
const part = /^(\d+) ([a-z ]+?)(?: \((\d+) steps?\))?$/;
/** The names of a run's failed tests, each on a line with its place. */
const failures = /^ FAILURES \n\n((?:.+\n)+)\nFAILED \|/gm;

interface Count {
  readonly tests: number;
  readonly steps: number;
}

const none: Count = { tests: 0, steps: 0 };

export class Total {
  readonly #start = performance.now();
  readonly #counts = new Map<string, Count>([["passed", none], ["failed", none]]);
  readonly #failures: string[] = [];

  /** Adds the run of `name`, by what it printed and its exit code. */
  add(name: string, output: string, code: number): void {
    const printed = stripVTControlCharacters(output);
    // A test may print such lines, too, so only the last ones count.
    const last = (pattern: RegExp) => [...printed.matchAll(pattern)].at(-1)?.[1];
    const line = last(lastLine);
    let hasFailed = false;
    for (const text of line?.split(" | ") ?? []) {
      const [, tests, word, steps = "0"] = part.exec(text)!;
      this.#count(word!, { tests: Number(tests), steps: Number(steps) });
      hasFailed ||= word === "failed" && tests !== "0";
    }
    // For example, it was killed, or a module did not load.
    const hasEndedEarly = line === undefined || (code !== 0 && !hasFailed);
    if (hasEndedEarly) this.#count("failed", { tests: 1, steps: 0 });
    if (hasEndedEarly) this.#failures.push(`${name} ended early, with ${code}`);
    else if (hasFailed) this.#failures.push(last(failures)?.trimEnd() ?? name);
  }

  /** Whether all runs have succeeded. */
  isGood(): boolean {
    return this.#counts.get("failed")!.tests === 0;
  }

  /** Returns the names of all failed tests, and the total as `deno test` prints it. */
  text(): string {
    const parts = [...this.#counts].map(([word, { tests, steps }]) =>
      `${tests} ${word}${steps === 0 ? "" : ` (${steps} step${steps === 1 ? "" : "s"})`}`
    );
    const seconds = Math.round((performance.now() - this.#start) / 1000);
    const names = this.#failures.length === 0 ? "" : `Failed:\n\n${this.#failures.join("\n")}\n\n`;
    const time = `${seconds < 60 ? "" : `${Math.floor(seconds / 60)}m`}${seconds % 60}s`;
    return `${names}${this.isGood() ? "ok" : "FAILED"} | ${parts.join(" | ")} (${time})`;
  }

  #count(word: string, { tests, steps }: Count): void {
    const before = this.#counts.get(word) ?? none;
    this.#counts.set(word, { tests: before.tests + tests, steps: before.steps + steps });
  }
}
