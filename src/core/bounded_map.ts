/**
 * A map that holds at most a number of bytes, by the sizes that callers give. It has two generations. A read
 * moves an entry into the young one. When that fills its half, the old one is dropped and the young one
 * becomes the old. So used entries stay, and the cost of a call does not depend on the size.
 */
export class BoundedMap<Value> {
  readonly #half: number;
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();
  #bytes = 0;

  constructor(budget: number) {
    this.#half = budget / 2;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Returns whether the key is present. Does not count as a use. */
  has(key: string): boolean {
    return this.#young.has(key) || this.#old.has(key);
  }

  get(key: string): Value | undefined {
    const young = this.#young.get(key);
    if (young) return young.value;
    const old = this.#old.get(key);
    if (old) this.set(key, old.value, old.bytes);
    return old?.value;
  }

  /** `bytes`: size of key and value. An entry of more than half the budget is not stored. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    if (bytes > this.#half) return;
    if (this.#bytes + bytes > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#bytes = 0;
    }
    this.#young.set(key, { value, bytes });
    this.#bytes += bytes;
  }

  delete(key: string): void {
    this.#old.delete(key);
    const young = this.#young.get(key);
    if (!young) return;
    this.#young.delete(key);
    this.#bytes -= young.bytes;
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#bytes = 0;
  }
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
}
