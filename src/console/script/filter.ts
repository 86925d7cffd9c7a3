/** The filter builder: conditions and values follow their field at once, and rows come and go. */
export const filterScript = `
// --- Rows of a filter -------------------------------------------------------------------------------------------

{
const bare = ["exists", "not_exists"];
const several = ["in", "nin"];
// Choices that a hint names; the pages name as many.
const mostNamed = 20;

const part = (selector) => document.querySelector("template[data-parts]").content.querySelector(selector);
const control = (row, name) => row.querySelector("[name=" + name + "]");
const copy = (nodes) => [...nodes].map((node) => document.importNode(node, true));

function aboutField(row) {
  const { value } = control(row, "field");
  const option = [...part("[data-part=fields]").options].find((one) => one.value === value);
  const { type, operators, choices } = option?.dataset ?? {};
  return { type, operators: operators?.split(" "), list: choices && part("select[data-choices='" + choices + "']") };
}

function fit(row) {
  const { type, operators } = aboutField(row);
  const select = control(row, "operator");
  const before = select.value;
  const options = copy(part("[data-part=operators]").options).filter(({ value }) => operators?.includes(value) ?? true);
  for (const option of options) {
    if (option.dataset.date && (type === "date" || type === "timestamp")) option.textContent = option.dataset.date;
  }
  select.replaceChildren(...options);
  select.value = options.some(({ value }) => value === before) ? before : options[0].value;
  fitValue(row, "");
}

function fitValue(row, kept) {
  const { type, list } = aboutField(row);
  const operator = control(row, "operator").value;
  const old = control(row, "value");
  const field = old.closest(".field");
  const isMany = several.includes(operator);
  const next = document.createElement(list && !isMany ? "select" : "input");
  if (list && !isMany) next.append(...copy(list.options));
  else Object.assign(next, { type: "text", autocomplete: "off", dir: "auto" });
  Object.assign(next, { id: old.id, name: "value" });
  next.value = kept;
  if (next.selectedIndex === -1) next.selectedIndex = 0;
  old.replaceWith(next);
  field.hidden = bare.includes(operator);
  if (field.hidden) next.value = "";
  field.querySelector(".hint")?.remove();
  const hint = part("[data-hint=" + (isMany ? "several" : type ?? "none") + "]");
  if (!hint || next.matches("select")) return;
  const text = document.createElement("p");
  const names = isMany && list ? [...list.options].slice(1).map(({ text }) => text) : [];
  const more = names.length > mostNamed ? ", …" : "";
  Object.assign(text, { className: "hint", id: old.id + "-hint", textContent: hint.textContent });
  if (names.length > 0) text.textContent = text.textContent.replace(/[.]$/, ": ") + names.slice(0, mostNamed).join(", ") + more;
  next.setAttribute("aria-describedby", text.id);
  next.after(text);
}

function add(form) {
  const rows = [...form.querySelectorAll("[data-condition]")];
  const row = rows[0].cloneNode(true);
  row.querySelector("legend").textContent = part("[data-part=row]").textContent.replace("0", rows.length + 1);
  row.querySelector("a.button")?.remove();
  for (const node of row.querySelectorAll("[id], [for]")) {
    for (const name of ["id", "for"]) {
      if (node.hasAttribute(name)) node.setAttribute(name, node.getAttribute(name).replace(/[0-9]+/, rows.length));
    }
    node.removeAttribute("aria-invalid");
  }
  rows.at(-1).after(row);
  control(row, "field").value = "";
  fit(row);
  control(row, "field").focus();
}

document.addEventListener("change", ({ target }) => {
  const row = target.closest?.("[data-condition]");
  if (!row) return;
  if (target.name === "field") fit(row);
  if (target.name === "operator") fitValue(row, control(row, "value").value);
});
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".conditions button[name=add]");
  if (!button) return;
  event.preventDefault();
  add(button.form);
});
}
`;
