/** Decides whether an automated communication is sent. Pure. */
import { consents } from "../consent.ts";
import type { SendFacts } from "./records.ts";

/** Why a communication is not sent. */
export type Reason = "case_moved" | "no_address" | "no_consent" | "bounced" | "deleted" | "field_deleted";

/** Returns the first reason against sending; null when the communication is sent. */
export function findReasonAgainst(
  { send, of, settings, isRefused, isBounced, text }: SendFacts,
): Reason | null {
  if (of === null) return "deleted";
  if (of.status !== send.case_status) return "case_moved";
  const { email, consent_email } = of.contact;
  if (!email?.trim()) return "no_address";
  if (!consents(consent_email, settings.consent_enable === 1) || isRefused) return "no_consent";
  if (isBounced) return "bounced";
  if (text === null) return "deleted";
  return text.namesDeleted ? "field_deleted" : null;
}
