/** Measures the requests of this process, so that background work slows down when there are many. */

const windowMs = 250;
/** Requests per second from which background work slows down. */
const busyRate = 200;

export class Traffic {
  #begun = 0;
  #count = 0;
  #rate = 0;

  /** Counts a request. */
  noted(): void {
    this.#turn();
    this.#count++;
  }

  /** Returns whether there were many requests in about the last quarter of a second. */
  isBusy(): boolean {
    this.#turn();
    return this.#rate > busyRate;
  }

  #turn(): void {
    const now = performance.now();
    const passed = now - this.#begun;
    if (passed < windowMs) return;
    this.#rate = this.#count * 1000 / passed;
    this.#begun = now;
    this.#count = 0;
  }
}
