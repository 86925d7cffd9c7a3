/** Asks for a secret: without echo on a terminal, otherwise as the first line of standard input. */
import process from "node:process";

const enter = /[\r\n]/;
const ctrlC = "\u0003";
const ctrlD = "\u0004";
const backspaces = new Set(["\u007f", "\b"]);

export async function askSecret(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return await readFirstLine();
  stdin.setRawMode(true);
  try {
    stderr.write(question);
    return await readLine();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write("\n");
  }
}

async function readFirstLine(): Promise<string> {
  let text = "";
  for await (const part of process.stdin.setEncoding("utf8")) {
    text += part;
    if (enter.test(text)) break;
  }
  return text.split(enter, 1)[0]!;
}

/** Reads a line from the terminal without echo. Backspace deletes; Ctrl-C ends the process. */
async function readLine(): Promise<string> {
  const letters: string[] = [];
  for await (const part of process.stdin.setEncoding("utf8")) {
    for (const letter of String(part)) {
      if (enter.test(letter) || letter === ctrlD) return letters.join("");
      if (letter === ctrlC) {
        process.stdin.setRawMode(false);
        process.exit(130);
      }
      if (backspaces.has(letter)) letters.pop();
      else letters.push(letter);
    }
  }
  return letters.join("");
}
