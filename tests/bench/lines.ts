/** The lines of the bench: each a load with its aim. */
import type { Asked, Load } from "./load.ts";
import type { World } from "./world.ts";

export interface Line {
  readonly name: string;
  readonly load: (world: World, asked: Ask) => Load | Promise<Load>;
  /**
   * The aim as a share of `of`, per second: the requests of a bare route with the same answer, bare commits,
   * or the requests of a bare route that decodes, writes and syncs, or reads, the same file.
   */
  readonly ratio?: number;
  readonly of?: "route" | "commits" | "files";
  /** Bytes of a file that each call transfers. */
  readonly bytes?: number;
  /** Milliseconds within which 95 of 100 calls are answered. */
  readonly p95?: number;
  /** If true, calls beside the load are measured as well: they must not wait for it. */
  readonly beside?: true;
}

/** Calls the service at this path once, and returns the body of the answer. */
export type Ask = (path: string, token: string) => Promise<{ pagination: Pagination; url: string }>;
interface Pagination {
  readonly total: number;
  readonly urls: { readonly next: string | null };
}

const deepPage = 20_000;
const mebibyte = 1024 * 1024;
const cases = "/v1/cases?sort_mode=important";

const gets = (asked: readonly Asked[]) => ({ admin: token }: World): Load => ({
  method: "GET",
  asked,
  token,
});
const filters = (of: (world: World) => readonly Asked[]) => (world: World): Load => ({
  method: "POST",
  asked: of(world),
  token: world.admin,
});

export const lines: readonly Line[] = [
  {
    name: "GET /accounts/:id",
    ratio: 0.3,
    load: ({ admin: token, samples }) => ({ method: "GET", asked: samples.accounts, token }),
  },
  { name: "GET /accounts", ratio: 0.2, load: gets([{ path: "/v1/accounts" }]) },
  { name: "GET /me", ratio: 0.3, load: gets([{ path: "/v1/me" }]) },
  { name: "GET /contacts, by an admin", p95: 50, load: gets([{ path: "/v1/contacts" }]) },
  {
    name: "GET /contacts, by a member of one of fifty teams",
    p95: 50,
    load: ({ member: token }) => ({ method: "GET", asked: [{ path: "/v1/contacts" }], token }),
  },
  {
    name: `GET /contacts, page ${deepPage} by urls.next`,
    p95: 50,
    load: async ({ admin: token, contacts }, ask) => {
      const page = Math.min(deepPage, Math.floor(contacts / 15)) - 1;
      const { pagination } = await ask(`/v1/contacts?page=${page}`, token);
      const { pathname, search } = new URL(pagination.urls.next!);
      return { method: "GET", asked: [{ path: pathname + search }], token };
    },
  },
  {
    name: "GET /contacts?search, two words, about 100 matches",
    p95: 50,
    load: ({ admin: token, samples }) => ({ method: "GET", asked: samples.search, token }),
  },
  // Lists the cases that wait longest first, and counts the cases of each status.
  { name: "GET /cases, by an admin", p95: 50, load: gets([{ path: cases }]) },
  {
    name: "GET /cases, by a member of one of fifty teams",
    p95: 50,
    load: ({ member: token }) => ({ method: "GET", asked: [{ path: cases }], token }),
  },
  {
    name: "filter: 3 letters and a month (0.1 %)",
    p95: 50,
    load: filters(({ samples }) => samples.prefixAndMonth),
  },
  { name: "filter: a custom choice (1 %)", p95: 50, load: filters(({ samples }) => samples.choice) },
  { name: "filter: a case milestone (1 %)", p95: 100, load: filters(({ samples }) => samples.milestone) },
  {
    name: "filter: one letter (8 %)",
    p95: 250,
    beside: true,
    load: filters(({ samples }) => samples.letter),
  },
  { name: "filter: ct", p95: 250, beside: true, load: filters(({ samples }) => samples.within) },
  {
    name: "GET /filemanager/folders/:id, 100 of 10,000 files",
    p95: 50,
    load: ({ admin: token, files }) => ({
      method: "GET",
      asked: [{ path: `/v1/filemanager/folders/${files.folder}?per_page=100` }],
      token,
    }),
  },
  {
    name: "GET /filemanager/folders/:id, 1,000 of 10,000 files, by one caller",
    p95: 50,
    load: ({ admin: token, files }) => ({
      method: "GET",
      asked: [{ path: `/v1/filemanager/folders/${files.folder}` }],
      token,
      connections: 1,
    }),
  },
  {
    name: "download of 1 MiB by a link",
    ratio: 0.5,
    of: "files",
    bytes: mebibyte,
    load: async ({ admin: token, files }, ask) => {
      const { url } = await ask(`/v1/filemanager/files/${files.file}`, token);
      return { method: "GET", asked: [{ path: new URL(url).pathname }], token };
    },
  },
  {
    name: "upload of 1 MiB as multipart",
    ratio: 0.5,
    of: "files",
    bytes: mebibyte,
    load: ({ admin: token, files: { form, formType } }) => ({
      method: "POST",
      asked: [{ path: "/v1/filemanager/files/company", file: form }],
      token,
      type: formType,
    }),
  },
  {
    name: "upload of 1 MiB in base64",
    ratio: 0.5,
    of: "files",
    bytes: mebibyte,
    load: ({ admin: token, files: { json } }) => ({
      method: "POST",
      asked: [{ path: "/v1/files", file: json }],
      token,
    }),
  },
  // Writing lines come last: they leave thousands of contacts, all alike, in front of the company's usual
  // ones.
  {
    name: "POST contact, 1 event",
    ratio: 0.5,
    of: "commits",
    load: ({ admin: token, samples }) => ({
      method: "POST",
      asked: samples.accounts.map(({ path }, n) => ({ path: `${path}/contacts`, body: person(n) })),
      token,
    }),
  },
  {
    name: "POST /cases/:id/activities",
    p95: 50,
    load: ({ admin: token, samples }) => ({ method: "POST", asked: samples.activities, token }),
  },
  // The very last, because its deliveries continue after it.
  {
    name: "POST /leads, 2 events for 2 subscriptions each",
    ratio: 0.06,
    load: ({ admin: token, lead }) => ({ method: "POST", asked: [{ path: "/v1/leads", body: lead }], token }),
  },
];

function person(n: number) {
  return {
    fixed_fields: [
      { name: "first_name", value: "Ada" },
      { name: "last_name", value: `Byron ${n}` },
      { name: "email", value: `ada.${n}@example.org` },
    ],
  };
}
