/** The limits of attempts: what they count, by which key, and how many they allow. */
import type { Policy } from "../../core/rate_limits.ts";
import { makeEmailKey } from "../email_key.ts";

export interface Limit {
  /** JSON of the key, stored as a keyed hash: people type passwords into name fields. */
  readonly key: string;
  readonly policy: Policy;
  /**
   * Hides the remaining attempts in answers, always or until none is left. The number would reveal the
   * attempts of other people.
   */
  readonly quiet?: "always" | "until spent";
}

const makePolicyOfTen = (name: string): Policy => ({ name, quota: 10, window: 600 });

export const passwordPolicies: readonly Policy[] = [
  makePolicyOfTen("password"),
  { name: "account", quota: 100, window: 3600 },
];
export const clientSecretPolicy = makePolicyOfTen("client-secret");
export const deviceCodePolicy = makePolicyOfTen("device-code");
export const resetTokenPolicy = makePolicyOfTen("reset-token");
export const inviteTokenPolicy = makePolicyOfTen("invite-token");
/** The limit by network address: on the pages anybody can try any account. Several people may share one. */
const pagePolicy: Policy = { name: "address", quota: 100, window: 600 };
const addressMailPolicy: Policy = { name: "address-mail", quota: 5, window: 3600 };
export const invitationMailPolicy: Policy = { name: "invitation-mail", quota: 5, window: 3600 };
export const testMailPolicy: Policy = { name: "test-mail", quota: 20, window: 3600 };
const arrivingPolicy: Policy = { name: "arriving-mail", quota: 60, window: 3600 };
/** What a call makes for a moment, by user; and by company, so that many users together stay bounded too. */
export const makingPolicies = {
  preview: [{ name: "preview", quota: 120, window: 60 }, { name: "company-preview", quota: 600, window: 60 }],
  chart: [{ name: "chart", quota: 120, window: 60 }, { name: "company-chart", quota: 600, window: 60 }],
  export: [{ name: "export", quota: 60, window: 60 }, { name: "company-export", quota: 300, window: 60 }],
  report: [{ name: "report", quota: 60, window: 3600 }, { name: "company-report", quota: 600, window: 3600 }],
} as const satisfies Readonly<Record<string, readonly [user: Policy, company: Policy]>>;
const resetMailPolicy: Policy = { name: "reset-mail", quota: 5, window: 3600 };

const setupPolicy: Policy = { name: "setup-code", quota: 10, window: 600 };
const setupOfAllPolicy: Policy = { name: "setup-codes", quota: 100, window: 3600 };
export const setupPolicies: readonly Policy[] = [setupPolicy, setupOfAllPolicy];

/** Wrong set-up codes by address, and of all addresses. */
export function makeSetupLimits(address: string): Limit[] {
  return [makeLimit(setupPolicy, "setup_code", address), {
    ...makeLimit(setupOfAllPolicy, "setup_code"),
    quiet: "always",
  }];
}

/** Wrong passwords by account name (existing or not): from one network address, and from all addresses. */
export function makePasswordLimits(email: string, address: string): Limit[] {
  return listAccountLimits("password", makeEmailKey(email), address);
}

/** The limits of the sign-in page: `makePasswordLimits`, and wrong passwords of all accounts by address. */
export function signInLimits(email: string, address: string): Limit[] {
  return [...makePasswordLimits(email, address), makePageLimit("sign_in", address)];
}

/** Wrong old passwords of a user who changes the password. */
export function makeOldPasswordLimits(userId: number, address: string): Limit[] {
  return listAccountLimits("old_password", userId, address);
}

/**
 * Wrong secrets by client and address. All unknown clients share one limit: an unknown client has no secret
 * that could be guessed.
 */
export function makeClientSecretLimit(clientId: string | null, address: string): Limit {
  return makeLimit(clientSecretPolicy, "client_secret", clientId, address);
}

/** Wrong codes by user; at the page (`client` is null) also by address. */
export function makeDeviceCodeLimits(userId: number, clientId: string | null, address: string): Limit[] {
  const own = makeLimit(deviceCodePolicy, "device_code", userId);
  return clientId === null ? [own, makePageLimit("device_code", address)] : [own];
}

/** Wrong reset tokens by client (null: the pages) and address. */
export function resetTokenLimit(clientId: string | null, address: string): Limit {
  return makeLimit(resetTokenPolicy, "reset_token", clientId, address);
}

/** Wrong invitation tokens by client (null: the pages) and address. */
export function inviteTokenLimit(clientId: string | null, address: string): Limit {
  return makeLimit(inviteTokenPolicy, "invite_token", clientId, address);
}

/** Reset mails by recipient. This limit counts mails, not failures, so that nobody floods an inbox. */
export function resetMailLimit(email: string): Limit {
  return { ...makeLimit(resetMailPolicy, "reset_mail", makeEmailKey(email)), quiet: "always" };
}

/** Invitation mails of a company to one person, first and repeated ones alike. */
export function makeInvitationMailLimit(companyId: number, email: string): Limit {
  return {
    ...makeLimit(invitationMailPolicy, "invitation_mail", companyId, makeEmailKey(email)),
    quiet: "until spent",
  };
}

/** Test mails of campaigns by user. */
export function makeTestMailLimit(userId: number): Limit {
  return makeLimit(testMailPolicy, "test_mail", userId);
}

/** Mails that arrive for a case. Strangers send them. */
export function makeArrivingLimit(caseId: string): Limit {
  return { ...makeLimit(arrivingPolicy, "arriving_mail", caseId), quiet: "always" };
}

/** Bytes of files that mail brings to a company in 24 hours (`INBOUND_FILE_LIMIT`). Strangers send them. */
export function makeArrivingFilesLimit(
  companyId: number,
  { inboundFileLimit: quota }: { readonly inboundFileLimit: number },
): Limit[] {
  if (quota === 0) return [];
  const policy: Policy = { name: "arriving-files", quota, window: 86_400 };
  return [{ ...makeLimit(policy, "arriving_files", companyId), quiet: "always" }];
}

/** What the caller makes of a kind: of the user, and of the company. Others' share of the latter stays hidden. */
export function makeMakingLimits(
  kind: keyof typeof makingPolicies,
  { userId, companyId }: { readonly userId: number; readonly companyId: number },
): Limit[] {
  const [own, shared] = makingPolicies[kind];
  return [
    makeLimit(own, "making", kind, userId),
    { ...makeLimit(shared, "making_of_company", kind, companyId), quiet: "until spent" },
  ];
}

/**
 * Mails that a user makes the service write to people (`MAIL_USER_LIMIT`), and those of all users of the company
 * (`MAIL_COMPANY_LIMIT`): correspondence, test mails, invitations, changed addresses, notifications and reports.
 */
export function makeWrittenMailLimits(
  { caller: { userId, companyId }, deps: { config } }: {
    readonly caller: { readonly userId: number; readonly companyId: number };
    readonly deps: { readonly config: { readonly mailUserLimit: number; readonly mailCompanyLimit: number } };
  },
): Limit[] {
  const hourly = (name: string, quota: number, id: number): Limit[] =>
    quota === 0
      ? []
      : [{ ...makeLimit({ name, quota, window: 3600 }, "written_mail", name, id), quiet: "always" }];
  return [
    ...hourly("user-mail", config.mailUserLimit, userId),
    ...hourly("company-mail", config.mailCompanyLimit, companyId),
  ];
}

/** Reset mails by the address that requests them at the page. */
export function resetPageLimit(address: string): Limit {
  return makePageLimit("reset_mail", address);
}

/** Mails to former addresses of a user. Addresses are not confirmed, so one may belong to a stranger. */
export function makeAddressMailLimit(userId: number): Limit {
  return { ...makeLimit(addressMailPolicy, "address_mail", userId), quiet: "always" };
}

function makePageLimit(kind: string, address: string): Limit {
  return { ...makeLimit(pagePolicy, "page", kind, address), quiet: "always" };
}

function listAccountLimits(kind: string, account: string | number, address: string): Limit[] {
  const [here, anywhere] = passwordPolicies;
  return [makeLimit(here!, kind, account, address), {
    ...makeLimit(anywhere!, kind, account),
    quiet: "until spent",
  }];
}

function makeLimit(policy: Policy, ...parts: readonly (string | number | null)[]): Limit {
  return { policy, key: JSON.stringify(parts) };
}
