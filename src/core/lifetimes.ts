/** Lifetimes of tokens, codes and the like, in milliseconds from their creation. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

export const lifetimes = {
  accessToken: hour,
  clientCredentials: 3 * minute,
  refreshToken: 7 * day,
  authorizationCode: minute,
  /** How long a code is kept after its creation, to detect a second use. */
  authorizationCodeKept: day,
  deviceCode: 10 * minute,
  deviceCodeKept: 10 * minute + day,
  /** A session from its last use, and from its start. */
  session: 14 * day,
  wholeSession: 90 * day,
  signOn: 10 * minute,
  passwordReset: day,
  invitation: 7 * day,
  /** How long a replaced client secret or webhook token stays valid. */
  replacedSecret: day,
  /** A download token of a file, and the link that a download leads to. */
  downloadToken: day,
  fileLink: 5 * minute,
  idempotencyKey: day,
  /** How long a mail is kept after its last attempt. */
  endedMail: 30 * day,
  /** An export of figures, and its file. */
  reportExport: 30 * day,
  /** An export of records, and its file. */
  recordExport: 30 * day,
  /** The file of an import and what a revert needs, from its end; and the import itself, from its creation. */
  importUndo: 30 * day,
  import: 365 * day,
  /** A chart at an address of its own. */
  chart: day,
  /** How long a notification is kept that is sent but not listed. */
  unlistedNotification: 2 * day,
  /** An event with its deliveries, for the log of webhooks and for delivering it again. */
  event: 30 * day,
  /** What the undo of a merge needs. */
  merge: 30 * day,
  /** Words of deleted rows in the full-text indexes. */
  deletedWords: 7 * day,
} as const;
