/** @jsxRuntime automatic @jsxImportSource hono/jsx */
/** Files of a record: their names download them, and the record takes more. */
import { fieldError, invalid } from "../../core/errors.ts";
import { Button, composeFieldId, FileField, Form } from "../forms.tsx";
import type { Page } from "../page.ts";
import type { Visit } from "../visit.ts";
import { List, Pages, type Pagination } from "./list.tsx";
import { Day } from "./values.tsx";

export interface FileList {
  readonly data: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly created_at: string;
  }[];
  readonly pagination: Pagination;
}

interface Props {
  readonly visit: Visit;
  readonly files: FileList;
  /** The address of the record's files below `/app`. */
  readonly action: string;
  /** Whether the person may attach and detach. */
  readonly changes: boolean;
}

export function Files({ visit, files, action, changes }: Props) {
  const { texts: { files: texts }, forms, formats } = visit;
  return (
    <section aria-labelledby="files">
      <h2 id="files">{texts.title}</h2>
      {changes
        ? (
          <Form forms={forms} action={action} name={texts.upload} files class="sheet line">
            <FileField forms={forms} action={action} name="file" path={["name", "data"]} label={texts.file} />
            <Button kind="quiet">{texts.upload}</Button>
          </Form>
        )
        : null}
      <List
        of="files"
        total={files.pagination.total}
        empty={texts.empty}
        action={changes
          ? { href: `#${composeFieldId(action, "file")}`, text: visit.texts.customers.addFirst }
          : null}
      >
        {files.data.map(({ id, name, size, created_at }) => (
          <li key={id} data-entity="file" data-id={id} id={`file-${id}`}>
            <div class="what">
              <a href={`/app/files/${id}/download`} hx-boost="false" download="">
                <bdi>{name}</bdi>
              </a>
            </div>
            <span class="number">{formats.bytes(size)}</span>
            <Day visit={visit} at={created_at} />
            {changes
              ? (
                <Form forms={forms} action={`${action}/${id}/detach`}>
                  <Button kind="quiet" label={`${texts.detach} ${name}`}>{texts.detach}</Button>
                </Form>
              )
              : null}
          </li>
        ))}
      </List>
      <Pages visit={visit} pagination={files.pagination} of="files" />
    </section>
  );
}

/** Leads to the content of a file. */
export const downloadPage: Page = {
  path: "/app/files/:file_id/download",
  section: null,
  show: async ({ target, params }) => ({ to: await target("downloadFile", { params }) }),
};

/** Bytes of the form of a file: 10 MiB, and the form around it. */
export const fileFormLimit = 10.5 * 1024 * 1024;

/** Stores the file of the form, and attaches it by the given call. */
export async function attachSent({ change, form }: Visit, operation: string, params: Visit["params"]) {
  const sent = form.get("file");
  if (!(sent instanceof File) || sent.name === "") {
    throw invalid(fieldError("name", "required", "A file is needed."));
  }
  const data = new Uint8Array(await sent.arrayBuffer()).toBase64();
  const { id } = await change<{ id: string }>("createFile", { body: { name: sent.name, data } });
  await change(operation, { params, body: { file_ids: [id] } });
}
