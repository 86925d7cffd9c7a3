/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** All that happened on a case, newest first. */
import { List, Pages } from "../parts/list.tsx";
import { StoredHtml } from "../parts/stored_html.tsx";
import { Moment } from "../parts/values.tsx";
import { separator } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import type { CaseContent, TimelineEntry } from "./load.ts";

const entities: Readonly<Record<TimelineEntry["type"], string>> = {
  activity: "activity",
  task: "task",
  note: "note",
  status_change: "activity",
  timeline_event: "stream-event",
};

export function Timeline({ visit, content: { timeline } }: { visit: Visit; content: CaseContent }) {
  const { texts } = visit;
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">{texts.cases.timeline}</h2>
      <List of="timeline" total={timeline.pagination.total} empty={texts.cases.nothingYet}>
        {timeline.data.map((entry) => (
          <Entry
            key={`${entry.type}-${entry.id}`}
            visit={visit}
            entry={entry}
          />
        ))}
      </List>
      <Pages visit={visit} pagination={timeline.pagination} of="timeline" />
    </section>
  );
}

function Entry({ visit, entry }: { visit: Visit; entry: TimelineEntry }) {
  const { type, id, occurred_at, data } = entry;
  const { user, communication_channel: channel } = data;
  const { cases: texts } = visit.texts;
  const kinds = [texts.kinds[type], channel ? texts.channels[channel] ?? channel : null];
  return (
    <li
      data-entity={entities[type]}
      data-id={String(id)}
      {...(type === "task" ? { "data-status": data.status } : {})}
      id={`timeline-${type}-${id}`}
    >
      <div class="what">
        <strong>
          <bdi>{composeTitle(visit, entry)}</bdi>
        </strong>
        <span class="sub">
          {kinds.filter(Boolean).join(separator)}
          {user
            ? (
              <>
                {separator}
                <bdi>{user.name}</bdi>
              </>
            )
            : null}
        </span>
        <StoredHtml html={data.note ?? data.content ?? null} />
        {data.reason ? <p dir="auto">{data.reason}</p> : null}
      </div>
      <Moment visit={visit} at={occurred_at} />
    </li>
  );
}

function composeTitle({ texts }: Visit, { type, data }: TimelineEntry): string {
  switch (type) {
    case "activity":
      return (data.activity_types ?? []).map(({ name }) => name).join(", ");
    case "task":
      return `${texts.cases.task}: ${texts.tasks.types[data.type ?? ""] ?? data.type ?? ""}`;
    case "note":
      return texts.cases.note;
    case "status_change":
      return texts.cases.statuses[data.to ?? ""] ?? data.to ?? "";
    case "timeline_event":
      return data.title ?? "";
  }
}
