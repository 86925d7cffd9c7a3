/** The requests that a webhook's target received, checked against their signatures and against GET. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Body } from "../support/app.ts";
import type { Received, Target } from "../support/listener.ts";

type Get = (path: string) => Promise<Body>;

/** Paths of records, by the first word of the event. */
const addresses: Readonly<Record<string, (body: Body, companyId: number) => string>> = {
  team: ({ id }) => `/v1/teams/${id}`,
  user: ({ id }, companyId) => `/v1/companies/${companyId}/users/${id}`,
  account: ({ id }) => `/v1/accounts/${id}`,
  contact: ({ id }) => `/v1/contacts/${id}`,
  lead: ({ id }) => `/v1/leads/${id}`,
  case: ({ id }) => `/v1/cases/${id}`,
};

export class Inbox {
  #get: Get;

  constructor(
    private readonly target: Target,
    private readonly token: string,
    private readonly companyId: number,
    get: Get,
  ) {
    this.#get = get;
  }

  readBy(get: Get): void {
    this.#get = get;
  }

  /** Checks that the event carries this record. */
  async gets(event: string, record: Body): Promise<void> {
    const fits = (one: Received) => {
      this.#verify(one);
      return readEvent(one) === event && isDeepEqual(JSON.parse(one.text), record);
    };
    try {
      await this.target.waitFor(fits, 15_000);
    } catch (error) {
      const same = this.target.received.filter((one) => readEvent(one) === event).map(({ text }) => text);
      throw new Error(`no ${event} of ${JSON.stringify(record)}\nbut\n${same.join("\n")}`, { cause: error });
    }
  }

  /** Checks that the last event of each record equals its GET. */
  async isUpToDate(): Promise<void> {
    const last = new Map<string, { sequence: number; body: Body }>();
    for (const one of this.target.received) {
      const body = JSON.parse(one.text);
      const address = addresses[readEvent(one).split("_")[0]!]?.(body, this.companyId);
      if (address === undefined) continue;
      const sequence = Number(one.headers.get("x-service-sequence"));
      if (sequence > (last.get(address)?.sequence ?? 0)) last.set(address, { sequence, body });
    }
    assert.ok(last.size > 0);
    for (const [address, { sequence, body }] of last) {
      const record = await this.#get(address);
      if (isDeepEqual(record, body)) continue;
      // A later event may still arrive.
      await this.target.waitFor((one) =>
        Number(one.headers.get("x-service-sequence")) > sequence &&
        isDeepEqual(JSON.parse(one.text), record), 15_000);
    }
  }

  /** Checks that the events of each record count from 1 without a gap and that no event arrived twice. */
  isWhole(): void {
    const sequences = new Map<string, number[]>();
    const deliveries = new Set<string>();
    for (const one of this.target.received) {
      this.#verify(one);
      const delivery = one.headers.get("x-service-delivery")!;
      if (deliveries.has(delivery)) continue;
      deliveries.add(delivery);
      const record = `${readEvent(one).split("_")[0]} ${JSON.parse(one.text).id}`;
      const known = sequences.get(record) ?? [];
      sequences.set(record, [...known, Number(one.headers.get("x-service-sequence"))]);
    }
    for (const [record, numbers] of sequences) {
      assert.deepEqual(numbers.sort((a, b) => a - b), numbers.map((_, i) => i + 1), record);
    }
  }

  /** Verifies with the reference library and with a SHA-1 computed here. */
  #verify({ method, headers, text, body }: Received): void {
    assert.equal(method, "POST");
    assert.equal(headers.get("content-type"), "application/json");
    const hash = createHash("sha1").update(body).update(this.token).digest("hex");
    assert.equal(headers.get("x-service-verification-hash"), hash);
    const hook = new Webhook(this.token, { format: "raw" });
    const id = headers.get("webhook-id")!;
    assert.equal(id, headers.get("x-service-delivery"));
    const sentAt = new Date(Number(headers.get("webhook-timestamp")) * 1000);
    // `verify` rejects times far from the present, such as those of jobs with a later time.
    if (Math.abs(sentAt.getTime() - Date.now()) < 60_000) hook.verify(text, Object.fromEntries(headers));
    assert.equal(headers.get("webhook-signature"), hook.sign(id, sentAt, text));
    assert.match(headers.get("x-timestamp") ?? "", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  }
}

function readEvent({ headers }: Received): string {
  return headers.get("x-service-event") ?? "";
}

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
