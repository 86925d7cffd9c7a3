/** `unsubscribed`: by a link; `bounced`: a mail server refused the address permanently. */
export const refusalReasons = ["unsubscribed", "bounced"] as const;
export type RefusalReason = typeof refusalReasons[number];
