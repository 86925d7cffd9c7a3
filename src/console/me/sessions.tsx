/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Where the person is signed in, and how to sign out. */
import { Button, Form } from "../forms.tsx";
import { List } from "../parts/list.tsx";
import { Badge, Moment } from "../parts/values.tsx";
import { separator } from "../parts/what.tsx";
import type { Visit } from "../visit.ts";
import { describeDevice } from "./device.ts";
import type { Settings } from "./load.ts";

export function Sessions({ visit, settings: { sessions } }: { visit: Visit; settings: Settings }) {
  const { texts: { me: texts }, forms } = visit;
  const elsewhere = "/app/me/sessions/end";
  return (
    <section aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <List of="sessions" total={sessions.length} empty={texts.noSessions}>
        {sessions.map((session) => <Session key={session.id} visit={visit} session={session} />)}
      </List>
      <div class="line after">
        <Form forms={forms} action="/app/me/sign-out" name={texts.signOut} plain>
          <Button kind="quiet">{texts.signOut}</Button>
        </Form>
        <Form forms={forms} action={elsewhere} name={texts.signOutElsewhere}>
          <Button kind="bad">{texts.signOutElsewhere}</Button>
        </Form>
      </div>
    </section>
  );
}

function Session({ visit, session }: { visit: Visit; session: Settings["sessions"][number] }) {
  const { texts: { me: texts }, forms } = visit;
  const { id, current, user_agent, address, last_used_at, created_at } = session;
  const device = describeDevice(user_agent) ?? texts.unknownDevice;
  return (
    <li data-entity="session" data-id={id} data-status={current ? "current" : "other"} id={`session-${id}`}>
      <div class="what">
        <strong title={user_agent ?? undefined}>{device}</strong>
        <span class="sub">
          {texts.signedIn} <Moment visit={visit} at={created_at} />
          {address === null ? null : (
            <>
              {separator}
              <bdi>{address}</bdi>
            </>
          )}
        </span>
      </div>
      {current ? <Badge tone="good" text={texts.thisSession} /> : (
        <>
          <span class="quiet-text">
            {texts.lastUsed} <Moment visit={visit} at={last_used_at} />
          </span>
          <Form forms={forms} action={`/app/me/sessions/${id}/end`}>
            <Button kind="quiet" label={`${texts.endSession} ${device}`}>{texts.endSession}</Button>
          </Form>
        </>
      )}
    </li>
  );
}
