/** Kinds of written messages. */
export const messageTypes = ["email", "letter"] as const;
export type MessageType = typeof messageTypes[number];
