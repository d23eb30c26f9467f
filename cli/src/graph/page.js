"use strict";
// All that is shown stands in the page: rows name their step and its buffers, rectangles their buffer and the step that writes it.
const rows = [...document.querySelectorAll("tbody tr")];
const rectangles = [...document.querySelectorAll(".buffer")];
const now = document.getElementById("now");
const table = document.getElementById("steps");
const said = document.getElementById("said");
let kept = null;

const buffersOf = (row) => row.dataset.buffers.split(" ").filter((buffer) => buffer !== "");

/** Shows a step, `null` none: its row, its place in time, and its buffers. */
function showStep(step) {
  const row = step === null ? null : rows[step];
  const buffers = new Set(row ? buffersOf(row) : []);
  rows.forEach((own) => own.classList.toggle("on", own === row));
  rows.forEach((own) => own.classList.toggle("near", own !== row && buffersOf(own).some((buffer) => buffers.has(buffer))));
  rectangles.forEach((own) => own.classList.toggle("on", buffers.has(own.dataset.buffer)));
  if (now) {
    now.setAttribute("visibility", row ? "visible" : "hidden");
    if (row) now.setAttribute("x", Number(now.dataset.left) + step * Number(now.getAttribute("width")));
  }
}

/** Shows a buffer: the rows of all steps that need it. */
function showBuffer(buffer) {
  showStep(null);
  rows.forEach((own) => own.classList.toggle("near", buffersOf(own).includes(buffer)));
  rectangles.forEach((own) => own.classList.toggle("on", own.dataset.buffer === buffer));
}

/** Keeps a step until another one is, and leads there. */
function keep(step) {
  kept = step;
  showStep(step);
  rows.forEach((own, number) => (own.tabIndex = number === step ? 0 : -1));
  table.tabIndex = step === null ? 0 : -1;
  if (step === null) {
    said.textContent = "";
    table.focus();
    return;
  }
  rows[step].focus();
  rows[step].scrollIntoView({ block: "nearest" });
  said.textContent = `Step ${step}: ${rows[step].querySelector(".kernel").textContent}`;
}

rows.forEach((row, step) => {
  row.addEventListener("mouseenter", () => showStep(step));
  row.addEventListener("mouseleave", () => showStep(kept));
  row.addEventListener("click", () => keep(step));
});
rectangles.forEach((own) => {
  own.addEventListener("mouseenter", () => showBuffer(own.dataset.buffer));
  own.addEventListener("mouseleave", () => showStep(kept));
  own.addEventListener("click", () => keep(Number(own.dataset.step)));
});
table.addEventListener("keydown", (event) => {
  const last = rows.length - 1;
  const steps = {
    ArrowDown: kept === null ? 0 : Math.min(kept + 1, last),
    ArrowUp: kept === null ? last : Math.max(kept - 1, 0),
    Home: 0,
    End: last,
    Escape: null,
  };
  if (!(event.key in steps) || last < 0) return;
  event.preventDefault();
  keep(steps[event.key]);
});
