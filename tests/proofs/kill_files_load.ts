/** A writer of files: sends one write after the other, and tracks the existing files by the answers. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { makePngOfSize } from "../support/pictures.ts";

export interface KnownFile {
  readonly digest: string;
  readonly isPublished: boolean;
}

interface Write {
  readonly name: string;
  readonly method: "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Built anew for each attempt, because a form can be sent only once. */
  readonly body: () => { readonly type: string; readonly body: BodyInit } | null;
  readonly status: number;
  readonly answered: (body: { readonly id: string }) => void;
}

type Content = Uint8Array<ArrayBuffer>;

export class FileWriter {
  /** The existing files by id. */
  readonly files = new Map<string, KnownFile>();
  /** The names of the answered writes. */
  readonly answered: string[] = [];
  #pending: { readonly write: Write; readonly key: string } | null = null;
  #count = 0;

  constructor(readonly number: number, readonly token: string) {}

  /** Sends the interrupted write again. Throws if it gets no answer. */
  async again(url: string): Promise<void> {
    if (this.#pending !== null && !await this.#send(url)) {
      throw new Error(`${this.#pending.write.name}: no answer`);
    }
  }

  /** Writes until the process dies during a write. */
  async writeUntilGone(url: string): Promise<void> {
    do {
      this.#pending ??= { write: this.#next(), key: `${this.number}-${this.#count++}` };
    } while (await this.#send(url));
  }

  async #send(url: string): Promise<boolean> {
    const { write, key } = this.#pending!;
    const sent = write.body();
    let reply: { status: number; text: string };
    try {
      const response = await fetch(url + write.path, {
        method: write.method,
        headers: {
          "Authorization": `Bearer ${this.token}`,
          "Idempotency-Key": key,
          ...(sent ? { "Content-Type": sent.type } : {}),
        },
        ...(sent ? { body: sent.body } : {}),
      });
      reply = { status: response.status, text: await response.text() };
    } catch {
      return false;
    }
    assert.equal(reply.status, write.status, `${write.name}: ${reply.text}`);
    write.answered(reply.text === "" ? {} : JSON.parse(reply.text));
    this.answered.push(write.name);
    this.#pending = null;
    return true;
  }

  #next(): Write {
    const [id, known] = [...this.files][Math.floor(Math.random() * this.files.size)] ?? [];
    const kinds = id === undefined ? [this.#create, this.#upload] : [
      this.#create,
      this.#upload,
      this.#replace,
      this.#replace,
      known!.isPublished ? this.#withdraw : this.#publish,
      this.#remove,
    ];
    return kinds[Math.floor(Math.random() * kinds.length)]!.call(this, id ?? "");
  }

  #create(): Write {
    const content = newContent();
    return {
      ...json("create", "POST", "/v1/files", { name: "a.png", data: content.toBase64() }),
      status: 201,
      answered: ({ id }) => this.#know(id, content),
    };
  }

  #upload(): Write {
    const content = newContent();
    const boundary = "a-boundary";
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="b.png"\r\n\r\n`;
    return {
      name: "upload",
      method: "POST",
      path: "/v1/filemanager/files/company",
      body: () => ({
        type: `multipart/form-data; boundary=${boundary}`,
        body: new Blob([head, content, `\r\n--${boundary}--\r\n`]),
      }),
      status: 201,
      answered: ({ id }) => this.#know(id, content),
    };
  }

  #replace(id: string): Write {
    const content = newContent();
    return {
      ...json("replace", "PUT", `/v1/files/${id}/replace`, { data: content.toBase64() }),
      status: 200,
      answered: () => this.#know(id, content),
    };
  }

  #publish(id: string): Write {
    return {
      ...json("publish", "POST", "/v1/filemanager/pictures", { file_id: id }),
      status: 201,
      answered: () => this.#change(id, { isPublished: true }),
    };
  }

  #withdraw(id: string): Write {
    return {
      ...deletion("withdraw", `/v1/filemanager/pictures/${id}`),
      answered: () => this.#change(id, { isPublished: false }),
    };
  }

  #remove(id: string): Write {
    return { ...deletion("delete", `/v1/files/${id}`), answered: () => void this.files.delete(id) };
  }

  /** New content withdraws a published picture. */
  #know(id: string, content: Content): void {
    this.files.set(id, { digest: createHash("sha256").update(content).digest("hex"), isPublished: false });
  }

  #change(id: string, change: Partial<KnownFile>): void {
    this.files.set(id, { ...this.files.get(id)!, ...change });
  }
}

function json(name: string, method: "POST" | "PUT", path: string, body: object) {
  return { name, method, path, body: () => ({ type: "application/json", body: JSON.stringify(body) }) };
}

function deletion(name: string, path: string) {
  return { name, method: "DELETE" as const, path, body: () => null, status: 204 };
}

/** Returns a picture of random size, so that digests differ. Most are small, a tenth have up to 2 MB. */
function newContent(): Content {
  const most = Math.random() < 0.1 ? 2_000_000 : 100_000;
  return makePngOfSize(1_000 + Math.floor(Math.random() * most));
}
