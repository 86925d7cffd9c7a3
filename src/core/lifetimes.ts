/** How long things last that end by themselves, in milliseconds from their beginning. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const lifetimes = {
  accessToken: hour,
  clientCredentials: 3 * minute,
  refreshToken: 7 * day,
  authorizationCode: minute,
  /** Of a code from its beginning, so that a second use is noticed. */
  authorizationCodeKept: day,
  deviceCode: 10 * minute,
  deviceCodeKept: 10 * minute + day,
  session: 12 * hour,
  signOn: 10 * minute,
  passwordReset: day,
  invitation: 7 * day,
  /** Of a client secret or a token of a webhook, beside the one that replaced it. */
  replacedSecret: day,
  idempotencyKey: day,
  /** Of a mail from its end. */
  endedMail: 30 * day,
  /** Of a notification that is sent and not listed. */
  unlistedNotification: 2 * day,
} as const;
