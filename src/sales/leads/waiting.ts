/** SQL: whether a lead of the status is in one of the agency's lists, as indexes have it, word for word. */
export function waiting(status: string): string {
  return `${status} in ('assignable', 'rejected', 'escalated', 'revoked')`;
}
