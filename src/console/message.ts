/** The message that the next page shows once, such as "Lead accepted.". It travels in a cookie of its own. */
import { parse, serialize } from "hono/utils/cookie";
import { isLocal } from "../http/request.ts";
import type { Texts } from "./texts/en.ts";

type Messages = Texts["messages"];

export type MessageName = keyof Messages;

export interface Message {
  readonly name: MessageName;
  /** The value that the text names. */
  readonly of?: string;
  /** The form that takes the change back. */
  readonly undo?: string;
}

const longest = 2_000;

function nameAt(origin: string): string {
  return isLocal(origin) ? "message" : "__Host-message";
}

/** Returns `Set-Cookie` for a message; null deletes it. */
export function makeMessageCookie(message: Message | null, origin: string): string {
  return serialize(nameAt(origin), message ? encodeURIComponent(JSON.stringify(message)) : "", {
    httpOnly: true,
    sameSite: "Lax",
    secure: !isLocal(origin),
    path: "/",
    maxAge: message ? 60 : 0,
  });
}

/** Returns the message of a request; null when there is none, or none of ours. */
export function readMessage(headers: Headers, origin: string, texts: Texts): Message | null {
  const value = parse(headers.get("cookie") ?? "")[nameAt(origin)];
  if (!value || value.length > longest) return null;
  try {
    const message = JSON.parse(decodeURIComponent(value)) as Message;
    const isKnown = Object.hasOwn(texts.messages, message.name);
    const isOurs = message.undo === undefined || /^\/app\/[\w/-]+$/.test(message.undo);
    return isKnown && isOurs ? message : null;
  } catch {
    return null;
  }
}

/** Returns the text of a message. */
export function composeMessageText({ name, of }: Message, texts: Texts): string {
  const text = texts.messages[name];
  return typeof text === "string" ? text : text(String(of ?? ""));
}
