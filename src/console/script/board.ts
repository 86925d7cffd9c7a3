/** Cards of the board are dropped on later columns. */
export const boardScript = `
// --- Cards of the board -----------------------------------------------------------------------------------------

let dragged = null;
const columnOf = (node) => node.closest?.(".board > [data-milestone]");

document.addEventListener("dragstart", (event) => {
  const card = event.target.closest?.("[draggable=true][data-entity=case]");
  // A link is dragged as a link, and a control keeps its own gestures.
  if (!card || event.target !== card) return;
  dragged = card;
  card.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", card.querySelector("a").href);
});
document.addEventListener("dragover", (event) => {
  const column = dragged && columnOf(event.target);
  for (const one of document.querySelectorAll(".column.over")) if (one !== column) one.classList.remove("over");
  if (!column) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "move";
  if (column !== columnOf(dragged)) column.classList.add("over");
});
document.addEventListener("drop", (event) => {
  const column = dragged && columnOf(event.target);
  if (!column) return;
  event.preventDefault();
  if (column === columnOf(dragged)) return;
  const form = dragged.querySelector("form[method=post]");
  const reached = () => document.getElementById("status").textContent = words().reached;
  if (!form) {
    const isLater = columnOf(dragged).compareDocumentPosition(column) & Node.DOCUMENT_POSITION_FOLLOWING;
    if (!isLater) return reached();
    return location.assign(dragged.querySelector("details a").href + "&milestone_id=" + column.dataset.milestone);
  }
  const select = form.elements.namedItem("milestone_id");
  select.value = column.dataset.milestone;
  if (select.value === column.dataset.milestone) form.requestSubmit();
  else {
    select.selectedIndex = 0;
    reached();
  }
});
document.addEventListener("dragend", () => {
  for (const one of document.querySelectorAll(".column.over")) one.classList.remove("over");
  dragged?.classList.remove("dragged");
  dragged = null;
});
`;
