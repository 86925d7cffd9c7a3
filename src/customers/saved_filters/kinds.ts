/** What a view shows, and whether it has a filter. The two are one stored word, by which lists are read. */
export const viewEntities = ["lead", "case", "task", "account", "contact"] as const;
export type ViewEntity = (typeof viewEntities)[number];

/** The entities whose views may have a filter. */
export const filteredEntities = ["account", "contact"] as const;

export function isFiltered(entity: ViewEntity): entity is (typeof filteredEntities)[number] {
  return entity === "account" || entity === "contact";
}

/** Returns the stored kind: that of a saved filter is the word of its records. */
export function chooseKindOfView(entity: ViewEntity, hasFilter: boolean): string {
  return isFiltered(entity) && !hasFilter ? `${entity}${plain}` : entity;
}

export function findEntityOfKind(kind: string): ViewEntity {
  return kind.replace(plain, "") as ViewEntity;
}

/** Marks views of accounts and contacts without a filter. */
const plain = "_view";
