/** Returns the lower-case form of an e-mail address, by which addresses are compared. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
