/**
 * A map that remembers at most so many bytes, by what its entries are said to take. It keeps two generations: what is
 * asked for moves into the young one, and when that has taken its half, the old one is forgotten and the young one
 * grows old. So what is used stays, and each call costs the same however much is remembered.
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

  /** Whether it is remembered; it grows old all the same. */
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

  /** `bytes`: of key and value together. What takes more than half of the budget is not remembered. */
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
