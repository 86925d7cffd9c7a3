/** What can be done with processes. */
import type { Action } from "../page.ts";
import { Again } from "../refused_change.ts";
import { chooseOwner } from "../parts/administration.ts";
import { countSent, isNamed, newProcessPage, path, processPage } from "./page.tsx";

/** Returns the body of the form. Rows without a name are left out: a milestone that there was is retired. */
function readProcessForm(form: FormData) {
  if (form.has("add")) throw new Again();
  const text = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" && value.trim() !== "" ? value : null;
  };
  const milestones = [];
  const rows = countSent(form);
  for (let index = 0; index < rows; index++) {
    const of = (member: string) => text(`milestones.${index}.${member}`);
    if (!isNamed(form, index)) continue;
    const [id, name, chance] = [of("id"), of("name"), of("chance_of_success")];
    milestones.push({
      ...(id === null ? {} : { id }),
      name,
      chance_of_success: chance !== null && /^\d{1,9}$/.test(chance) ? Number(chance) : chance,
      set_status: of("set_status"),
    });
  }
  return { name: text("name") ?? "", activity_types: { milestones } };
}

export const processActions: readonly Action[] = [
  {
    path: newProcessPage.path,
    page: newProcessPage,
    async run(visit) {
      const { change, form } = visit;
      const { id } = await change<{ id: string }>("createRelationsPath", {
        body: { ...readProcessForm(form), ...chooseOwner(visit) },
      });
      return { to: `${path}/${id}`, message: { name: "processCreated" } };
    },
  },
  {
    path: processPage.path,
    page: processPage,
    async run({ change, form, params }) {
      await change("updateRelationsPath", { params, body: readProcessForm(form) });
      return { to: `${path}/${params.relations_path_id}`, message: { name: "saved" } };
    },
  },
];
