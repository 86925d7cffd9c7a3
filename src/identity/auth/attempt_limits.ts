/** What is counted, by what, and how much of it is let pass. */
import type { Policy } from "../../core/rate_limits.ts";
import { emailKey } from "../users/queries.ts";

export interface Limit {
  /** JSON of what is counted by. Kept as a keyed hash: people type passwords where a name belongs. */
  readonly key: string;
  readonly policy: Policy;
  /** How much is left is told never, or only when nothing is: it would tell what others do. */
  readonly quiet?: "always" | "until spent";
}

const tenInTenMinutes = (name: string): Policy => ({ name, quota: 10, window: 600 });

export const passwordPolicies: readonly Policy[] = [
  tenInTenMinutes("password"),
  { name: "account", quota: 100, window: 3600 },
];
export const clientSecretPolicy = tenInTenMinutes("client-secret");
export const deviceCodePolicy = tenInTenMinutes("device-code");
export const resetTokenPolicy = tenInTenMinutes("reset-token");
export const inviteTokenPolicy = tenInTenMinutes("invite-token");
/** At the pages anybody can try any account, so an address has a limit of its own. It may be many people's. */
const pagePolicy: Policy = { name: "address", quota: 100, window: 600 };
const addressMailPolicy: Policy = { name: "address-mail", quota: 5, window: 3600 };
export const invitationMailPolicy: Policy = { name: "invitation-mail", quota: 5, window: 3600 };
const resetMailPolicy: Policy = { name: "reset-mail", quota: 5, window: 3600 };

/** Wrong passwords by account name (whether there is such an account or not) and address, and from anywhere. */
export function passwordLimits(email: string, address: string): Limit[] {
  return ofAccount("password", emailKey(email), address);
}

/** The same at the sign-in page, and wrong passwords of any account by address. */
export function signInLimits(email: string, address: string): Limit[] {
  return [...passwordLimits(email, address), pageLimit("sign_in", address)];
}

/** Wrong old passwords of a user who changes it. */
export function oldPasswordLimits(userId: number, address: string): Limit[] {
  return ofAccount("old_password", userId, address);
}

/** Wrong secrets by client and address. Of clients that do not exist all together: there is nothing to guess. */
export function clientSecretLimit(clientId: string | null, address: string): Limit {
  return limit(clientSecretPolicy, "client_secret", clientId, address);
}

/** Wrong codes by the user who types them in; at the page (`client` is null) also of any user by address. */
export function deviceCodeLimits(userId: number, clientId: string | null, address: string): Limit[] {
  const own = limit(deviceCodePolicy, "device_code", userId);
  return clientId === null ? [own, pageLimit("device_code", address)] : [own];
}

/** Wrong tokens for a reset by client (null: the pages) and address. */
export function resetTokenLimit(clientId: string | null, address: string): Limit {
  return limit(resetTokenPolicy, "reset_token", clientId, address);
}

/** Wrong tokens of an invitation by client (null: the pages) and address. */
export function inviteTokenLimit(clientId: string | null, address: string): Limit {
  return limit(inviteTokenPolicy, "invite_token", clientId, address);
}

/** Mails for a reset by whom they go to: not a matter of failing, but of being flooded. */
export function resetMailLimit(email: string): Limit {
  return { ...limit(resetMailPolicy, "reset_mail", emailKey(email)), quiet: "always" };
}

/** Mails of a company that invite the same person, made anew and sent again alike. */
export function invitationMailLimit(companyId: number, email: string): Limit {
  return {
    ...limit(invitationMailPolicy, "invitation_mail", companyId, emailKey(email)),
    quiet: "until spent",
  };
}

/** Mails for a reset by the address that asks for them at the page. */
export function resetPageLimit(address: string): Limit {
  return pageLimit("reset_mail", address);
}

/** Mails to addresses that were a user's: an address need not be confirmed, and so may be a stranger's. */
export function addressMailLimit(userId: number): Limit {
  return { ...limit(addressMailPolicy, "address_mail", userId), quiet: "always" };
}

function pageLimit(kind: string, address: string): Limit {
  return { ...limit(pagePolicy, "page", kind, address), quiet: "always" };
}

function ofAccount(kind: string, account: string | number, address: string): Limit[] {
  const [here, anywhere] = passwordPolicies;
  return [limit(here!, kind, account, address), { ...limit(anywhere!, kind, account), quiet: "until spent" }];
}

function limit(policy: Policy, ...parts: readonly (string | number | null)[]): Limit {
  return { policy, key: JSON.stringify(parts) };
}
