/** A mail server on loopback that keeps what it is sent. */

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  /** Headers and body as they came. */
  readonly data: string;
  /** The same with soft line breaks and quoted characters undone. */
  readonly text: string;
}

export interface SmtpServer extends AsyncDisposable {
  /** `smtp://…`, with user and password when they are asked for. */
  readonly url: string;
  readonly mails: ReceivedMail[];
  /** Connections that were opened. */
  connections(): number;
}

/** Starts it. With `login` a client must sign in; with `refuse` every recipient is refused. */
export function startSmtp(
  { login, refuse = false }: { login?: { user: string; password: string }; refuse?: boolean } = {},
): SmtpServer {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const mails: ReceivedMail[] = [];
  const open = new Set<Deno.Conn>();
  const conversations = new Set<Promise<void>>();
  let connections = 0;
  const accepting = (async () => {
    for await (const connection of listener) {
      connections += 1;
      open.add(connection);
      const conversation = converse(connection, mails, login, refuse).catch(() => {}).finally(() => {
        open.delete(connection);
        conversations.delete(conversation);
        close(connection);
      });
      conversations.add(conversation);
    }
  })();
  const port = (listener.addr as Deno.NetAddr).port;
  const user = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : "";
  return {
    url: `smtp://${user}127.0.0.1:${port}`,
    mails,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) close(connection);
      await Promise.all([accepting, ...conversations]);
    },
  };
}

async function converse(
  connection: Deno.Conn,
  mails: ReceivedMail[],
  login: { user: string; password: string } | undefined,
  refuse: boolean,
): Promise<void> {
  const say = (line: string) => connection.write(new TextEncoder().encode(`${line}\r\n`));
  const expected = login && btoa(`\0${login.user}\0${login.password}`);
  let from = "";
  let to: string[] = [];
  let data: string[] | null = null;
  let signedIn = login === undefined;
  await say("220 loopback");
  for await (const line of lines(connection)) {
    if (data !== null) {
      if (line !== ".") {
        data.push(line.startsWith("..") ? line.slice(1) : line);
        continue;
      }
      const whole = data.join("\r\n");
      mails.push({ from, to, data: whole, text: unquoted(whole) });
      [from, to, data] = ["", [], null];
      await say("250 kept");
    } else if (/^EHLO/i.test(line)) await say("250-loopback\r\n250 AUTH PLAIN");
    else if (/^AUTH PLAIN/i.test(line)) {
      signedIn = line.slice(11) === expected;
      await say(signedIn ? "235 welcome" : "535 wrong");
    } else if (/^QUIT/i.test(line)) return void await say("221 bye");
    else if (/^(?:RSET|NOOP)/i.test(line)) await say("250 ok");
    else if (!signedIn) await say("530 sign in first");
    else if (/^MAIL FROM:/i.test(line)) {
      from = address(line);
      await say("250 ok");
    } else if (/^RCPT TO:/i.test(line)) {
      if (!refuse) to.push(address(line));
      await say(refuse ? "550 nobody of that name" : "250 ok");
    } else if (/^DATA/i.test(line)) {
      data = [];
      await say("354 go on");
    } else await say("502 what");
  }
}

async function* lines(connection: Deno.Conn): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of connection.readable.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split("\r\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

function address(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}

function unquoted(data: string): string {
  const bytes = data.replace(/=\r\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => decodeURIComponent(run.replaceAll("=", "%")));
  return bytes;
}

function close(connection: Deno.Conn): void {
  try {
    connection.close();
  } catch {
    // closed by the other side
  }
}
