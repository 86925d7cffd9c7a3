/** Every event with a sample body. */
import { type EventName, eventNames } from "../../core/events.ts";

export async function renderEventList(): Promise<string> {
  const { default: payloads } = await import("../payloads.json", { with: { type: "json" } });
  const recorded: Readonly<Record<EventName, unknown>> = payloads;
  return eventNames.map((name) =>
    [
      `### \`${name}\``,
      "",
      `<details>\n<summary>Body of ${name}</summary>`,
      "",
      "```json",
      JSON.stringify(recorded[name], null, 2),
      "```",
      "",
      "</details>",
    ].join("\n")
  ).join("\n\n");
}
