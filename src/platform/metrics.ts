/**
 * Figures of the process, in the text format of Prometheus 0.0.4. A registry of its own: the format is small, and the
 * common library loads modules of Node that Workers lack. Labels have few values each, because every set of values is
 * a series that is kept until the process ends.
 */

/** Values of labels, in the order in which the figure declares the labels. */
type Labels = readonly string[];

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

/** A sum that only grows. Its name ends in `_total`. */
export class Counter {
  readonly #sums = new Map<string, { readonly labels: Labels; sum: number }>();

  /** `known`: values that are there from the start, so that a first addition is seen as one. */
  constructor(readonly described: Described, known: readonly Labels[] = []) {
    for (const labels of known) this.#sums.set(makeKey(labels), { labels, sum: 0 });
  }

  /** Adds 1. */
  add(...labels: Labels): void {
    const key = makeKey(labels);
    const found = this.#sums.get(key);
    if (found) found.sum++;
    else this.#sums.set(key, { labels, sum: 1 });
  }

  text(): string {
    const { described } = this;
    const rows = [...this.#sums.values()].map(({ labels, sum }) =>
      formatSample(described.name, described.labels, labels, sum)
    );
    return block(described, "counter", rows);
  }
}

/** A number that rises and falls. */
export class Gauge {
  #value = 0;

  constructor(readonly described: Omit<Described, "labels">) {}

  /** Adds a number, which may be negative. */
  change(by: number): void {
    this.#value += by;
  }

  text(): string {
    return gaugeText(this.described, [], [[[], this.#value]]);
  }
}

/** Upper bounds of the buckets, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** How values, in seconds, are distributed. */
export class Histogram {
  readonly #series = new Map<string, { readonly labels: Labels; readonly counts: number[]; sum: number }>();

  constructor(readonly described: Described) {}

  /** Adds a duration in milliseconds. */
  add(milliseconds: number, ...labels: Labels): void {
    const key = makeKey(labels);
    let series = this.#series.get(key);
    if (!series) {
      series = { labels, counts: Array.from({ length: bounds.length + 1 }, () => 0), sum: 0 };
      this.#series.set(key, series);
    }
    const seconds = milliseconds / 1000;
    let place = 0;
    while (place < bounds.length && seconds > bounds[place]!) place++;
    series.counts[place]!++;
    series.sum += seconds;
  }

  text(): string {
    const { name, labels: names } = this.described;
    // Without labels there is one series, which is shown from the start.
    if (names.length === 0 && this.#series.size === 0) {
      return block(this.described, "histogram", distribution(name, [], [], bounds.map(() => 0).concat(0), 0));
    }
    const rows = [...this.#series.values()].flatMap(({ labels, counts, sum }) =>
      distribution(name, names, labels, counts, sum)
    );
    return block(this.described, "histogram", rows);
  }
}

function distribution(
  name: string,
  names: readonly string[],
  labels: Labels,
  counts: readonly number[],
  sum: number,
): string[] {
  let total = 0;
  const buckets = counts.map((count, index) => {
    total += count;
    const bound = index < bounds.length ? String(bounds[index]) : "+Inf";
    return formatSample(`${name}_bucket`, [...names, "le"], [...labels, bound], total);
  });
  return [
    ...buckets,
    formatSample(`${name}_sum`, names, labels, sum),
    formatSample(`${name}_count`, names, labels, total),
  ];
}

/** Returns a gauge that is read when it is asked for: each row has the values of the labels, and the number. */
export function gaugeText(
  described: Omit<Described, "labels">,
  names: readonly string[],
  rows: readonly (readonly [Labels, number])[],
): string {
  const samples = rows.map(([labels, value]) => formatSample(described.name, names, labels, value));
  return block(described, "gauge", samples);
}

function block({ name, help }: Omit<Described, "labels">, type: string, rows: readonly string[]): string {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...rows, ""].join("\n");
}

function formatSample(name: string, names: readonly string[], labels: Labels, value: number): string {
  if (names.length === 0) return `${name} ${value}`;
  const pairs = names.map((each, index) => `${each}="${escapeLabel(labels[index]!)}"`);
  return `${name}{${pairs.join(",")}} ${value}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** No value of a label has this character. */
function makeKey(labels: Labels): string {
  return labels.length === 1 ? labels[0]! : labels.join("\n");
}

/** The figures that a process counts. `GET /metrics` shows them beside those of the database. */
export class Metrics {
  readonly requests = new Counter({
    name: "wayline_http_requests_total",
    help: "Requests that were answered.",
    labels: ["method", "route", "status"],
  });
  readonly durations = new Histogram({
    name: "wayline_http_request_duration_seconds",
    help: "Time from the head of a request to its response.",
    labels: ["method", "route"],
  });
  readonly webhookAttempts = new Counter({
    name: "wayline_webhook_attempts_total",
    help:
      "Attempts to deliver events: delivered, failed, and retried for those failed ones that another follows.",
    labels: ["outcome"],
  }, [["delivered"], ["retried"], ["failed"]]);
  readonly mails = new Counter({
    name: "wayline_mails_total",
    help: "Mails that a mail server took (sent), and those that were given up (failed).",
    labels: ["outcome"],
  }, [["sent"], ["failed"]]);
  readonly writes = new Histogram({
    name: "wayline_write_queue_seconds",
    help: "Time of a write in the queue of the one writer, from the call until it is on disk.",
    labels: [],
  });
  readonly eventReaders = new Gauge({
    name: "wayline_event_readers",
    help: "Calls and streams that wait for events.",
  });

  /** Counts a request. `route` is a declared path, without ids; `duration` in milliseconds. */
  countRequest(method: string, route: string, status: number, duration: number): void {
    // Callers may send any method, and each would be a series of its own.
    const known = methods.has(method) ? method : "other";
    this.requests.add(known, route, String(status));
    this.durations.add(duration, known, route);
  }

  text(): string {
    const { requests, durations, webhookAttempts, mails, writes, eventReaders } = this;
    return [requests, durations, webhookAttempts, mails, writes, eventReaders]
      .map((figure) => figure.text()).join("");
  }
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);
