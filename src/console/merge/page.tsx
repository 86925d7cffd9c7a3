/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Merges another account or contact into one: proposes which, and shows both side by side. */
import { findRecordName } from "../account/load.ts";
import { consents } from "../contact/form.tsx";
import { Button, composeFieldId, Form, markGroup, noteFault } from "../forms.tsx";
import type { Page, View } from "../page.ts";
import { Fact } from "../parts/facts.tsx";
import { FindForm } from "../parts/find.tsx";
import { Amounts } from "../parts/impact.tsx";
import { List, Pages } from "../parts/list.tsx";
import { Ignored } from "../parts/notices.tsx";
import { Badge } from "../parts/values.tsx";
import type { Visit } from "../visit.ts";
import { type MergeKind, mergeKinds, type Moved } from "./kinds.ts";
import { type Comparison, type Difference, type MergeContent, readMerge } from "./load.ts";

export const mergePages: readonly Page[] = mergeKinds.map((kind) => ({
  path: kind.path,
  section: "customers",
  show: (visit) => show(visit, kind),
}));

async function show(visit: Visit, kind: MergeKind): Promise<View> {
  visit.require("customers.delete");
  const content = await readMerge(visit, kind);
  const { texts } = visit;
  return {
    title: texts.merging.of(findRecordName(content.record, texts.leads.unnamed)),
    body: <Body visit={visit} kind={kind} content={content} />,
  };
}

interface Props {
  readonly visit: Visit;
  readonly kind: MergeKind;
  readonly content: MergeContent;
}

function Body({ visit, kind, content }: Props) {
  const { texts: { merging: texts } } = visit;
  const { record, comparison, ignored, unfit } = content;
  const address = `/app/${kind.list}/${record.id}`;
  return (
    <>
      <Ignored visit={visit} names={ignored} />
      {unfit === null ? null : <p class="alert" role="alert">{texts.unfit[unfit] ?? texts.unfit.other}</p>}
      {comparison
        ? <Compare visit={visit} kind={kind} content={content} comparison={comparison} address={address} />
        : <Choose visit={visit} kind={kind} content={content} address={address} />}
      <p class="links">
        {comparison ? <a class="button quiet" href={`${address}/merge`}>{texts.another}</a> : null}
        <a class="button quiet" href={address}>{visit.texts.cancel}</a>
      </p>
    </>
  );
}

/** The records that may be the same. */
function Choose({ visit, kind, content, address }: Props & { address: string }) {
  const { texts: { merging: texts, errors, leads }, query } = visit;
  const isSearch = query.has("search") && !content.ignored.includes("search");
  const { candidates, pagination, record } = content;
  // Nobody knows on which of several pages the record itself stands, so that their list has it.
  const found = pagination ? candidates : candidates?.filter(({ id }) => id !== record.id) ?? null;
  return (
    <>
      <FindForm visit={visit} action={`${address}/merge`} name={texts.find} kept={{}} choices={[]} />
      <section aria-labelledby="candidates">
        <h2 id="candidates">{isSearch ? texts.found : texts.candidates}</h2>
        {found === null ? <p class="alert" role="alert">{errors[503].text}</p> : (
          <List
            of={kind.list}
            total={pagination?.total ?? found.length}
            empty={isSearch ? texts.nothing : texts.noCandidates}
          >
            {found.map(({ id, name, reasons }) => (
              <li key={id} data-entity={kind.type} data-id={id} id={`${kind.type}-${id}`}>
                <div class="what">
                  <a href={`/app/${kind.list}/${id}`}>
                    <bdi>{name ?? leads.unnamed}</bdi>
                  </a>
                  {reasons.length > 0
                    ? (
                      <span class="sub">
                        {texts.sameBy(reasons.map((reason) => texts.reasons[reason] ?? reason).join(", "))}
                      </span>
                    )
                    : null}
                </div>
                {id === record.id ? <span class="badge">{texts.stays}</span> : (
                  <a
                    class="button quiet"
                    href={`${address}/merge?from_id=${id}`}
                    aria-label={`${texts.compare} ${name ?? leads.unnamed}`}
                  >
                    {texts.compare}
                  </a>
                )}
              </li>
            ))}
          </List>
        )}
        {pagination ? <Pages visit={visit} pagination={pagination} /> : null}
      </section>
    </>
  );
}

interface CompareProps extends Props {
  readonly comparison: Comparison;
  readonly address: string;
}

/** Both side by side. What is chosen stays. */
function Compare({ visit, kind, content, comparison, address }: CompareProps) {
  const { texts: { merging: texts, leads }, forms } = visit;
  const { record, version } = content;
  const { other, differences, equal, moved } = comparison;
  const action = `${address}/merge?from_id=${other.id}`;
  const sides = [
    { text: texts.stays, of: record },
    { text: texts.goes, of: other },
  ];
  return (
    <>
      <p>{texts.explained}</p>
      <Form forms={forms} action={action} name={texts.merge} class="sheet" version={version}>
        <input type="hidden" name="from_id" value={other.id} />
        <ul class="pair sides">
          {sides.map(({ text, of }) => (
            <li key={of.id} data-entity={kind.type} data-id={of.id}>
              <span class="sub">{text}</span>
              <a href={`/app/${kind.list}/${of.id}`}>
                <bdi>{findRecordName(of, leads.unnamed)}</bdi>
              </a>
            </li>
          ))}
        </ul>
        {differences.length === 0 ? <p>{texts.noDifferences}</p> : <h2>{texts.differences}</h2>}
        {differences.map((one) => <Sides key={one.name} visit={visit} action={action} difference={one} />)}
        {kind.type === "contact" && record.b2c ? <p class="hint">{texts.withAccount}</p> : null}
        <h2>{texts.moves}</h2>
        <Amounts visit={visit} amounts={listAmounts(moved)} />
        {listAmounts(moved).length === 0 ? <p>{texts.nothingMoves}</p> : null}
        <p class="hint">{texts.undoHint}</p>
        <Button>{texts.merge}</Button>
      </Form>
      {equal.length === 0 && comparison.consent === null
        ? null
        : (
          <section aria-labelledby="equal" class="sheet">
            <h2 id="equal">{comparison.consent === null ? texts.equal : texts.afterwards}</h2>
            <dl class="facts">
              {equal.map(({ label, value }) => (
                <Fact key={label} term={label}>
                  <bdi>{value}</bdi>
                </Fact>
              ))}
              {comparison.consent === null ? null : <Consents visit={visit} consent={comparison.consent} />}
            </dl>
          </section>
        )}
      <p>
        <a href={`/app/${kind.list}/${other.id}/merge?from_id=${record.id}`}>{texts.swap}</a>
      </p>
    </>
  );
}

export function listAmounts(moved: Moved) {
  return Object.entries(moved).flatMap(([type, amount]) => amount > 0 ? [{ type, amount }] : []);
}

function Sides({ visit, action, difference }: {
  readonly visit: Visit;
  readonly action: string;
  readonly difference: Difference;
}) {
  const { forms } = visit;
  const { name: field, label, mine, theirs } = difference;
  const name = `take.${field}`;
  const id = composeFieldId(action.split("?", 1)[0]!, name);
  const fault = noteFault({ forms, action, name, label }, id);
  const typed = forms.refused?.form.get(name);
  const chosen = typed === "this" || typed === "other" ? typed : mine === null ? "other" : "this";
  const sides = [["this", mine], ["other", theirs]] as const;
  return (
    <fieldset id={id} class="pair" {...markGroup(id, fault)}>
      <legend dir="auto">{label}</legend>
      {sides.map(([value, text]) => (
        <div class="choice" key={value}>
          <input
            type="radio"
            id={`${id}-${value}`}
            name={name}
            value={value}
            {...(value === chosen ? { checked: true } : {})}
          />
          <label for={`${id}-${value}`} dir="auto">{text ?? visit.texts.merging.empty}</label>
        </div>
      ))}
      {fault ? <p id={`${id}-fault`} class="wrong">{fault}</p> : null}
    </fieldset>
  );
}

function Consents({ visit, consent }: { visit: Visit; consent: NonNullable<Comparison["consent"]> }) {
  const { customers: texts } = visit.texts;
  return (
    <>
      {consents.map((channel) => {
        const given = consent[channel]?.consent_given ?? null;
        return (
          <Fact key={channel} term={texts.consentTo(texts.consentChannels[channel])}>
            <Badge
              tone={given === null ? "plain" : given ? "good" : "bad"}
              text={given === null ? texts.notAsked : given ? texts.given : texts.refused}
            />
          </Fact>
        );
      })}
    </>
  );
}
