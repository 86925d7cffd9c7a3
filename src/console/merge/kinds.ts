/** The two kinds of records that merge, with their calls. */
export const mergeKinds = [
  {
    type: "account",
    list: "accounts",
    path: "/app/accounts/:account_id/merge",
    param: "account_id",
    read: "getAccount",
    find: "listAccounts",
    merge: "mergeAccounts",
  },
  {
    type: "contact",
    list: "contacts",
    path: "/app/contacts/:contact_id/merge",
    param: "contact_id",
    read: "getContact",
    find: "listContacts",
    merge: "mergeContacts",
  },
] as const;

export type MergeKind = typeof mergeKinds[number];

/** Amounts of records that move, by their kind. */
export type Moved = Readonly<Record<string, number>>;

export const findMergeKind = (type: "account" | "contact"): MergeKind =>
  mergeKinds.find((kind) => kind.type === type)!;
