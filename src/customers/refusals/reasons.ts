/** `unsubscribed`: by a link or a consent; `bounced`: a mail server refused the address permanently. */
export const refusalReasons = ["unsubscribed", "bounced"] as const;
export type RefusalReason = typeof refusalReasons[number];

/** The channels whose address is a phone number. */
export const numberChannels = ["call", "sms"] as const;
export type NumberChannel = typeof numberChannels[number];

/** Letters are not among them: their address is the account's. */
export const refusedChannels = ["email", ...numberChannels] as const;
export type RefusedChannel = typeof refusedChannels[number];
