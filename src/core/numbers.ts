/** How many records of a kind a company may have: those that people make by hand, and that work follows from. */

/** By table. `at`: the member of the body that the refusal names. */
export const numbers = {
  applications: { most: 1_000, at: "name", what: "applications" },
  automated_communications: { most: 1_000, at: "name", what: "automated communications" },
  campaigns: { most: 20_000, at: "name", what: "campaigns" },
  folders: { most: 20_000, at: "name", what: "folders" },
  groups: { most: 5_000, at: "name", what: "groups" },
  indicator_sets: { most: 5_000, at: "name", what: "indicator sets" },
  lead_types: { most: 1_000, at: "name", what: "lead types" },
  product_categories: { most: 5_000, at: "name", what: "categories" },
  ranks: { most: 1_000, at: "name", what: "ranks" },
  relations_paths: { most: 1_000, at: "name", what: "relations paths" },
  roles: { most: 1_000, at: "name", what: "roles" },
  saved_filters: { most: 20_000, at: "name", what: "views and saved filters" },
  scheduled_reports: { most: 1_000, at: "name", what: "scheduled reports" },
  templates: { most: 5_000, at: "title", what: "templates" },
} as const;

export type Numbered = keyof typeof numbers;
