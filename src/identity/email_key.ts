/** An e-mail address in the form that is compared. */
export function emailKey(email: string): string {
  return email.toLowerCase();
}
