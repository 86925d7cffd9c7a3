/**
 * Download tokens and links: signed texts without rows. Each names a file and the generation of its content, so that
 * it ends when the file is deleted or replaced; a download token also names the user who asked.
 */
import { isStillAhead } from "../core/clocks.ts";
import { notFound } from "../core/errors.ts";
import { lifetimes } from "../core/lifetimes.ts";
import { sha256 } from "../platform/crypto.ts";
import { readSignedHex, signHex } from "../platform/signed_texts.ts";
import type { FileRow } from "./table.ts";

/** `token`: a download token; `content`: a link that serves the bytes. */
export type LinkKind = "token" | "content";

export interface Link {
  readonly kind: LinkKind;
  readonly fileId: string;
  /** See `readGeneration`. */
  readonly generation: string;
  /** The user who asked for the token; 0 in a link. */
  readonly userId: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** Returns the 404 of an address that is invalid or has expired. */
export const makeExpiredProblem = () => notFound("There is no such file; its address may have expired.");

type Content = Pick<FileRow, "id" | "object_key">;

/** Returns a download token of the file for the user, valid for 24 hours. */
export function signDownloadToken(
  secretsKey: Uint8Array,
  file: Content,
  userId: number,
  now: number,
): string {
  const expiresAt = now + lifetimes.downloadToken;
  return sign(secretsKey, {
    kind: "token",
    fileId: file.id,
    generation: readGeneration(file),
    userId,
    expiresAt,
  });
}

/** Returns a link to the file's content, valid for five minutes. */
export function signContentLink(
  { secretsKey, origin, now }: {
    readonly secretsKey: Uint8Array;
    readonly origin: string;
    readonly now: number;
  },
  file: Content,
): string {
  const expiresAt = now + lifetimes.fileLink;
  const link = {
    kind: "content",
    fileId: file.id,
    generation: readGeneration(file),
    userId: 0,
    expiresAt,
  } as const;
  return `${origin}/files/${sign(secretsKey, link)}`;
}

/** Reads a token or link; null when it is of another kind, has expired, or was not signed with the key. */
export function readLink(secretsKey: Uint8Array, kind: LinkKind, text: string, now: number): Link | null {
  const parts = layout.exec(readSignedHex(secretsKey, purpose, text) ?? "");
  if (parts === null) return null;
  const [, code, id, generation, user, expiry] = parts;
  if (codes[kind] !== code) return null;
  const expiresAt = parseInt(expiry!, 16);
  if (!isStillAhead(expiresAt, now, lasting[kind])) return null;
  const fileId = id!.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return { kind, fileId, generation: generation!, userId: parseInt(user!, 16), expiresAt };
}

/** Returns the generation of the file's content in hex. It changes when the content is replaced. */
export function readGeneration({ object_key }: Pick<FileRow, "object_key">): string {
  return sha256(object_key).slice(0, 16);
}

const codes: Readonly<Record<LinkKind, string>> = { token: "01", content: "02" };
const lasting: Readonly<Record<LinkKind, number>> = {
  token: lifetimes.downloadToken,
  content: lifetimes.fileLink,
};
/** In hex: the kind, the file's id, the generation, the user, the expiry in milliseconds. */
const layout = /^([0-9a-f]{2})([0-9a-f]{32})([0-9a-f]{16})([0-9a-f]{12})([0-9a-f]{12})$/;
const purpose = "file link";

function sign(secretsKey: Uint8Array, { kind, fileId, generation, userId, expiresAt }: Link): string {
  const hex = (number: number) => number.toString(16).padStart(12, "0");
  const payload = codes[kind] + fileId.replaceAll("-", "") + generation + hex(userId) + hex(expiresAt);
  return signHex(secretsKey, purpose, payload);
}
