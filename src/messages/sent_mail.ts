/**
 * Identifies sent mail in signed addresses: of the pictures in it, of answers to it and of reports about it.
 */

export const sentKinds = ["case", "correspondence", "campaign_message"] as const;

export interface SentMail {
  /** `case`: any mail of the case. */
  readonly kind: typeof sentKinds[number];
  /** A UUID, or the number of a campaign's message. */
  readonly id: string;
}

/** Returns an even number of hex digits. */
export function encodeSentMail({ kind, id }: SentMail): string {
  const hex = kind === "campaign_message"
    ? Number(id).toString(16).padStart(32, "0")
    : id.replaceAll("-", "");
  return `0${sentKinds.indexOf(kind)}${hex}`;
}

/** Reads what `encodeSentMail` returned; null for other text. */
export function readSent(hex: string): SentMail | null {
  const [, index, id] = /^0(\d)([0-9a-f]{32})$/.exec(hex) ?? [];
  const kind = sentKinds[Number(index)];
  if (id === undefined || kind === undefined) return null;
  if (kind === "campaign_message") return { kind, id: String(parseInt(id, 16)) };
  return { kind, id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-") };
}
