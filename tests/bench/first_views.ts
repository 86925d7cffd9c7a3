/**
 * First views of pages of the console, in Chromium with an empty cache: what comes over the wire, how often the layout
 * shifts, when the largest paint is, and the scores of Lighthouse, on a telephone and at a desk.
 */
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import long from "../long/deno.json" with { type: "json" };
import { type FirstView, mostBytes, readFirstView, type WindowName, windows } from "../pages/first_view.ts";
import { launchOptions, program } from "../pages/program.ts";
import { runCommand, runOfLongTests } from "../support/process.ts";

/** The most of a first view beside its bytes: requests, bytes of scripts, shifts, milliseconds. */
const most = { requests: 10, scriptBytes: 32 * 1024, moved: 0.02, paint: 1_000 };
/** The least score of Lighthouse, of 100. */
const leastScore = 95;
const categories = ["performance", "accessibility", "best-practices"] as const;
type Scores = Readonly<Record<typeof categories[number], number>>;

/** Views of a page, of which the median of the largest paint counts: the machine does other work meanwhile. */
const rounds = 3;

/** Prints the figures. Returns how many miss their aim. `cookie`: that of the session. */
export async function measureFirstViews(
  url: string,
  cookie: string,
  addresses: readonly string[],
): Promise<number> {
  if (program === null) throw new Error("First views are measured in Chromium: set CHROMIUM to its program.");
  let missed = 0;
  const mark = (text: string, isMissed: boolean) => {
    if (isMissed) missed++;
    return isMissed ? `${text} (missed)` : text;
  };
  const score = (value: number) => mark(String(value), value < leastScore);
  const kib = (bytes: number, aim: number) => mark((bytes / 1024).toFixed(1), bytes > aim);
  const aims = `≤ ${mostBytes("/app") / 1024} (Today), ≤ ${mostBytes("/app/leads") / 1024} | ` +
    `≤ ${most.requests} | ≤ ${most.scriptBytes / 1024} | ≤ ${most.moved} | ` +
    `≤ ${most.paint} | ${categories.map(() => `≥ ${leastScore}`).join(" | ")}`;
  console.log(
    "\n| first view | window | KiB | requests | KiB of scripts | shift | largest paint, ms | " +
      `${categories.join(" | ")} |\n|${"---|".repeat(7 + categories.length)}\n| aim | | ${aims} |`,
  );
  const browser = await chromium.launch({ executablePath: program, ...launchOptions });
  try {
    for (const address of addresses) {
      for (const window of Object.keys(windows) as WindowName[]) {
        const view = await readMedian(browser, url + address, cookie, window);
        const scores = await runLighthouse(url + address, cookie, window);
        const cells = [
          kib(view.bytes, mostBytes(address)),
          mark(String(view.requests), view.requests > most.requests),
          kib(view.scriptBytes, most.scriptBytes),
          mark(view.moved.toFixed(3), view.moved > most.moved),
          mark(view.paint.at.toFixed(0), view.paint.at > most.paint),
          ...categories.map((category) => score(scores[category])),
        ];
        console.log(`| ${address.replaceAll(/[\w-]{36}/g, "…")} | ${window} | ${cells.join(" | ")} |`);
      }
    }
    return missed;
  } finally {
    await browser.close();
  }
}

/** Returns the view with the median of the largest paint. */
async function readMedian(
  browser: Browser,
  url: string,
  cookie: string,
  window: WindowName,
): Promise<FirstView> {
  const views: FirstView[] = [];
  for (let round = 0; round < rounds; round++) {
    views.push(await readFirstView(browser, url, cookie, { window }));
  }
  return views.toSorted((one, other) => one.paint.at - other.paint.at)[Math.floor(rounds / 2)]!;
}

/** Returns the scores of Lighthouse: on a slow telephone by its own settings, or at a desk. */
async function runLighthouse(url: string, cookie: string, window: WindowName): Promise<Scores> {
  const folder = await Deno.makeTempDir({ prefix: "wayline-lighthouse-" });
  try {
    const path = join(folder, "report.json");
    const flags = [
      "--headless=new",
      "--disable-gpu",
      ...launchOptions.chromiumSandbox ? [] : ["--no-sandbox"],
    ];
    const { code, stderr } = await runCommand(
      [
        ...runOfLongTests,
        ...[long.imports.lighthouse, url, "--quiet", "--output=json", `--output-path=${path}`],
        ...[`--only-categories=${categories.join(",")}`, `--chrome-flags=${flags.join(" ")}`],
        ...[
          `--extra-headers=${JSON.stringify({ Cookie: `session=${cookie}` })}`,
          "--no-enable-error-reporting",
        ],
        ...window === "desk" ? ["--preset=desktop"] : [],
      ],
      { CHROME_PATH: program! },
      { timeoutMs: 180_000 },
    );
    if (code !== 0) throw new Error(`Lighthouse ended with ${code}: ${stderr}`);
    const report = JSON.parse(await Deno.readTextFile(path));
    // A page that leads to the sign-in has scores too.
    if (report.runtimeError || report.finalDisplayedUrl !== url) {
      throw new Error(`${url}: ${report.runtimeError?.message ?? `leads to ${report.finalDisplayedUrl}`}`);
    }
    return Object.fromEntries(
      categories.map((category) => [category, Math.round(report.categories[category].score * 100)]),
    ) as Record<typeof categories[number], number>;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
