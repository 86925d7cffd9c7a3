/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** A list of records of Administration: each a name with a few words below it. */
import type { Visit } from "../visit.ts";
import { Links } from "./links.tsx";
import { List, Pages, type Pagination } from "./list.tsx";
import { Ignored } from "./notices.tsx";
import { What } from "./what.tsx";

interface Entry {
  readonly id: number | string;
  readonly name: string;
  readonly about: string;
}

interface Props {
  readonly visit: Visit;
  /** The address of the list, which those of the records begin with. */
  readonly path: string;
  readonly of: string;
  readonly entity: string;
  readonly entries: readonly Entry[];
  readonly pagination: Pagination;
  /** Parameters of the address that mean nothing. */
  readonly ignored: readonly string[];
  readonly empty: string;
  /** The text of the link to the form of a new one; null for people who may not make one. */
  readonly create: string | null;
}

export function NamedList({ visit, path, of, entity, entries, pagination, ignored, empty, create }: Props) {
  const link = create === null ? null : { href: `${path}/new`, text: create };
  return (
    <>
      <Ignored visit={visit} names={ignored} />
      <Links links={[link && { ...link, isMain: true }]} />
      <List of={of} total={pagination.total} empty={empty} action={link}>
        {entries.map(({ id, name, about }) => (
          <li key={id} data-entity={entity} data-id={String(id)} id={`${entity}-${id}`}>
            <What href={`${path}/${id}`} name={name} about={[about]} />
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={pagination} />
    </>
  );
}
