/** The log port: one JSON line per entry, without secrets, and without addresses of people in errors. */

/** An event with its data. Values under names of secrets are redacted. */
export type LogEntry = Readonly<Record<string, unknown>>;

export interface Log {
  info(entry: LogEntry): void;
  error(entry: LogEntry): void;
}

/** Returns a log that passes each line with its newline to `write`. `urgent` is true for errors. */
export function makeLineLog(
  write: (line: string, urgent: boolean) => void,
  { level, now }: { level: "info" | "error" | "off"; now: () => number },
): Log {
  const writer = (severity: string, urgent: boolean) =>
    function writeLine(entry: LogEntry): void {
      let text = `{"time":"${new Date(now()).toISOString()}","level":"${severity}"`;
      for (const name in entry) {
        const value = entry[name];
        let key = keys.get(name);
        if (!key) keys.set(name, key = { text: `,${JSON.stringify(name)}:`, secret: secretName.test(name) });
        // Every request writes a line of plain values. A JSON replacer for them took a tenth of a read.
        if (value === null || typeof value === "boolean" || Number.isFinite(value)) text += key.text + value;
        else {
          const isPlain = typeof value === "string" && !key.secret && !mayHoldSecret.test(value);
          const json = isPlain ? JSON.stringify(value) : redactToJson(name, value);
          // Leaves out values without JSON.
          if (json !== undefined) text += key.text + json;
        }
      }
      write(text + "}\n", urgent);
    };
  const silent = () => {};
  return {
    info: level === "info" ? writer("info", false) : silent,
    error: level === "off" ? silent : writer("error", true),
  };
}

/** A log for runtimes that store console output, such as workerd. */
export function makeConsoleLog(level: "info" | "error" | "off", now: () => number): Log {
  return makeLineLog((line, urgent) => (urgent ? console.error : console.log)(line.trimEnd()), {
    level,
    now,
  });
}

/** The fields of an error for a log entry. */
export function describeError(error: unknown): { error: string; stack?: string } {
  if (!(error instanceof Error)) return { error: String(error) };
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return { error: `${error.name}: ${error.message}${cause}`, stack: error.stack };
}

const secretName =
  /token|password|passwd|secret|authori[sz]ation|(?:api|private)[_-]?key|cookie|signature|^key$/i;
/** Matches secrets inside texts: credentials of HTTP and URLs, and in query strings. */
const secretText: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, "$1 [redacted]"],
  [/(\/\/[^/\s:@]*:)[^/\s@]+@/g, "$1[redacted]@"],
  [/([?&](?:[\w-]*(?:token|secret|password|signature|code|key))=)[^&\s"']+/gi, "$1[redacted]"],
];

/**
 * Matches e-mail addresses: errors of mail servers repeat them, and logs outlive people's data. Names of packages with
 * their versions, such as `hono@4.1.0`, are none.
 */
const emailAddress = /[^\s<>"'()[\],:;\\/@]{1,64}@(?:[\p{L}\d-]{1,63}\.){1,10}\p{L}{2,63}/gu;

interface Key {
  /** The name as it is in a line, with the comma before it and the colon after it. */
  readonly text: string;
  readonly secret: boolean;
}

/** Cached keys by name. Names come from the code, so there are few. */
const keys = new Map<string, Key>();

/** Returns the JSON of a value without secrets and addresses; undefined for one without JSON. */
function redactToJson(name: string, value: unknown): string | undefined {
  const shown = redact(name, value);
  return typeof shown === "string" ? JSON.stringify(shown) : JSON.stringify(shown, redact);
}

function redact(name: string, value: unknown): unknown {
  if (typeof value === "string") {
    if (secretName.test(name)) return "[redacted]";
    if (!mayHoldSecret.test(value)) return value;
    const text = secretText.reduce((text, [form, to]) => text.replace(form, to), value);
    // The recipient of a mail that no server takes has to be found.
    return name === "to" ? text : text.replace(emailAddress, "[address]");
  }
  if (typeof value === "bigint") return String(value);
  if (value instanceof Error) return describeError(value);
  if (value !== null && typeof value === "object" && name !== "" && secretName.test(name)) {
    return "[redacted]";
  }
  return value;
}

const mayHoldSecret = /bearer|basic|@|=/i;
