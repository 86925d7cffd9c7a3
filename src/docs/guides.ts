/** The guides of `/docs`, in reading order. Each text is imported on first use. */

export interface Guide {
  /** Its path: `/docs/<slug>`. */
  readonly slug: string;
  /** The first heading of its text. */
  readonly title: string;
  readonly summary: string;
  readonly load: () => Promise<{ default: string }>;
}

export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

export const guideGroups: readonly GuideGroup[] = [
  {
    title: "Conventions",
    guides: [
      {
        slug: "authentication",
        title: "Authentication",
        summary: "Get a token: five grants, their lifetimes, and snippets for stock OAuth libraries.",
        load: () => import("./guides/authentication.md", { with: { type: "text" } }),
      },
      {
        slug: "errors",
        title: "Errors",
        summary: "Problem documents, every code, and what to retry.",
        load: () => import("./guides/errors.md", { with: { type: "text" } }),
      },
      {
        slug: "lists",
        title: "Lists",
        summary: "Pages, search, sorting, totals.",
        load: () => import("./guides/lists.md", { with: { type: "text" } }),
      },
      {
        slug: "idempotency",
        title: "Idempotency and ETags",
        summary: "Send a write again safely; change only what you have read.",
        load: () => import("./guides/idempotency.md", { with: { type: "text" } }),
      },
      {
        slug: "limits",
        title: "Limits",
        summary: "Sizes, rates, lifetimes.",
        load: () => import("./guides/limits.md", { with: { type: "text" } }),
      },
    ],
  },
  {
    title: "The CRM",
    guides: [
      {
        slug: "set-up",
        title: "Set up a company",
        summary: "A company, teams, people, fields, a sales process, and the first lead.",
        load: () => import("./guides/set-up.md", { with: { type: "text" } }),
      },
      {
        slug: "visibility",
        title: "Rights and visibility",
        summary: "User types, roles, teams and groups: access to records.",
        load: () => import("./guides/visibility.md", { with: { type: "text" } }),
      },
      {
        slug: "fields",
        title: "Custom fields",
        summary: "Define fields, write their values, link choices.",
        load: () => import("./guides/fields.md", { with: { type: "text" } }),
      },
      {
        slug: "filters",
        title: "Filters",
        summary: "Every field, operator and choice; how conditions combine.",
        load: () => import("./guides/filters.md", { with: { type: "text" } }),
      },
      {
        slug: "leads",
        title: "The life of a lead",
        summary: "States, moves, countdowns, and the agency.",
        load: () => import("./guides/leads.md", { with: { type: "text" } }),
      },
      {
        slug: "importing",
        title: "Import your customers",
        summary: "Check a file, run it, mend the rows that fail, take it back.",
        load: () => import("./guides/importing.md", { with: { type: "text" } }),
      },
      {
        slug: "merging",
        title: "Merging",
        summary: "Find accounts and contacts that are one; merge, preview, undo.",
        load: () => import("./guides/merging.md", { with: { type: "text" } }),
      },
      {
        slug: "copies",
        title: "Keep a copy in step",
        summary: "Every change in order: the event feed, its stream, and what a copy needs.",
        load: () => import("./guides/copies.md", { with: { type: "text" } }),
      },
      {
        slug: "exports",
        title: "Take your data out",
        summary: "Records in files that an import reads back.",
        load: () => import("./guides/exports.md", { with: { type: "text" } }),
      },
      {
        slug: "files",
        title: "Files",
        summary: "Upload, download, share; attach to records; folders.",
        load: () => import("./guides/files.md", { with: { type: "text" } }),
      },
      {
        slug: "templates",
        title: "Templates and letters",
        summary: "Frames of e-mails and letters, every placeholder, previews as HTML and PDF.",
        load: () => import("./guides/templates.md", { with: { type: "text" } }),
      },
      {
        slug: "correspondence",
        title: "Correspondence",
        summary: "E-mails and letters of a case: write, read, answers that come back.",
        load: () => import("./guides/correspondence.md", { with: { type: "text" } }),
      },
      {
        slug: "campaigns",
        title: "Campaigns",
        summary: "Recipients, approval, sending, unsubscribing; letters and calls.",
        load: () => import("./guides/campaigns.md", { with: { type: "text" } }),
      },
      {
        slug: "automated-communications",
        title: "Automated communications",
        summary: "E-mails some days after an activity: times, reasons, cancelling.",
        load: () => import("./guides/automated-communications.md", { with: { type: "text" } }),
      },
      {
        slug: "reports",
        title: "Reports",
        summary: "Figures of what happened: indicators, groups, time series, exports.",
        load: () => import("./guides/reports.md", { with: { type: "text" } }),
      },
      {
        slug: "gamification",
        title: "Gamification",
        summary: "Points, levels, badges, ranks and the stream.",
        load: () => import("./guides/gamification.md", { with: { type: "text" } }),
      },
    ],
  },
  {
    title: "Integration",
    guides: [
      {
        slug: "webhooks",
        title: "Webhooks",
        summary: "Every event with a payload, headers, verification in three languages, retries.",
        load: () => import("./guides/webhooks.md", { with: { type: "text" } }),
      },
      {
        slug: "clients",
        title: "Generate a client",
        summary: "From the OpenAPI document to a typed client.",
        load: () => import("./guides/clients.md", { with: { type: "text" } }),
      },
      {
        slug: "single-sign-on",
        title: "Single sign-on",
        summary: "Let people sign in through an OpenID Connect provider.",
        load: () => import("./guides/single-sign-on.md", { with: { type: "text" } }),
      },
    ],
  },
  {
    title: "Running it",
    guides: [
      {
        slug: "operations",
        title: "Operations",
        summary: "systemd, backups, upgrades, telemetry, how long personal data stays.",
        load: () => import("./guides/operations.md", { with: { type: "text" } }),
      },
      {
        slug: "metrics",
        title: "Operate by numbers",
        summary: "What `GET /metrics` measures, alerts, and a dashboard.",
        load: () => import("./guides/metrics.md", { with: { type: "text" } }),
      },
      {
        slug: "containers",
        title: "Containers and proxies",
        summary: "A Dockerfile, a compose file, Caddy and nginx.",
        load: () => import("./guides/containers.md", { with: { type: "text" } }),
      },
      {
        slug: "settings",
        title: "Settings",
        summary: "Every environment variable.",
        load: () => import("./guides/settings.md", { with: { type: "text" } }),
      },
      {
        slug: "hosting",
        title: "Deno Deploy and Cloudflare Workers",
        summary: "Run it without a machine of your own.",
        load: () => import("./guides/hosting.md", { with: { type: "text" } }),
      },
      {
        slug: "mail",
        title: "Mail and notifications",
        summary: "The mails and notifications that the service sends, and its retries.",
        load: () => import("./guides/mail.md", { with: { type: "text" } }),
      },
      {
        slug: "speed",
        title: "Speed",
        summary: "Measured figures, and how to measure your own.",
        load: () => import("./guides/speed.md", { with: { type: "text" } }),
      },
    ],
  },
  {
    title: "The project",
    guides: [
      {
        slug: "sources",
        title: "The sources",
        summary: "Map of the repository, tasks, and how to add an endpoint.",
        load: () => import("./guides/sources.md", { with: { type: "text" } }),
      },
      {
        slug: "style",
        title: "Style",
        summary: "How names, comments, messages, tests and commits are written.",
        load: () => import("./guides/style.md", { with: { type: "text" } }),
      },
      {
        slug: "changelog",
        title: "Changelog",
        summary: "What each version changes.",
        load: () => import("./guides/changelog.md", { with: { type: "text" } }),
      },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);
