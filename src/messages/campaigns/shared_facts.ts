/** What the messages of a claim share: one read for all of its campaigns and contacts. */
import { BoundedMap } from "../../core/bounded_map.ts";
import type { Deps } from "../../deps.ts";
import type { ClaimedMessage } from "./claim.ts";
import { readCampaignFacts, selectCampaignFacts, type SentCampaignFacts } from "./records.ts";
import type { Snapshot } from "./snapshot.ts";
import { stopUnpermitted } from "./stop_unpermitted.ts";

/** Bytes of the parsed texts that a run keeps: those of all campaigns would fill the memory. */
const keptBytes = 16 * 1024 * 1024;

/** The facts of the messages that a run has claimed. */
export class SharedFacts {
  readonly #facts = new WeakMap<ClaimedMessage, Promise<SentCampaignFacts | null>>();
  /** The parsed texts of campaigns, which do not change while they are sent. */
  readonly #snapshots = new BoundedMap<Snapshot>(keptBytes);

  constructor(readonly deps: Deps) {}

  /** Begins to read what the messages need. */
  prepare(messages: readonly ClaimedMessage[]): void {
    const campaigns = [...Map.groupBy(messages, ({ campaign_id }) => campaign_id)];
    const reads = campaigns.map(([id, some]) =>
      selectCampaignFacts(id, JSON.stringify(some.map(({ contact_id }) => contact_id)))
    );
    const read = this.deps.db.read(reads.flat());
    let from = 0;
    for (const [index, [id, some]] of campaigns.entries()) {
      const [first, last] = [from, from += reads[index]!.length];
      const facts = read.then((results) =>
        this.#judge(readCampaignFacts(results.slice(first, last), this.#snapshots.get(id)))
      );
      // Each attempt sees the failure. A message that is given back has none.
      facts.catch(() => {});
      for (const message of some) this.#facts.set(message, facts);
    }
  }

  /** Returns null for a message of a campaign that was stopped, because its user may not send any more. */
  of(message: ClaimedMessage): Promise<SentCampaignFacts | null> {
    return this.#facts.get(message)!;
  }

  async #judge(facts: SentCampaignFacts): Promise<SentCampaignFacts | null> {
    const { id, snapshot } = facts.campaign;
    // A text may take two bytes for each character.
    this.#snapshots.set(id, facts.snapshot, 2 * snapshot!.length);
    if (facts.maySend) return facts;
    await stopUnpermitted(this.deps, facts.campaign, this.deps.clock.now());
    return null;
  }
}
