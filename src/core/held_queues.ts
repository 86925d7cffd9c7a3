/** The queues that an operator can hold. */

/** The row of `holds` for each queue that can be held alone. */
export const holdRows = {
  mails: 2,
  notifications: 3,
  "push-messages": 4,
  "webhook-deliveries": 5,
  campaigns: 6,
  "automated-communications": 7,
  "scheduled-reports": 8,
} as const;
/** The row that holds everything. */
export const holdOfAll = 1;

/** What can be held, by the name under which an operator holds it. */
export type HeldQueue = keyof typeof holdRows;
export const heldQueues = Object.keys(holdRows) as HeldQueue[];
