// The schedule: each candidate by the registers that it fills and by its weight.

const SHAPES = [
  "M-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0z", "M-4.2 -4.2h8.4v8.4h-8.4z", "M0 -5.4l5.2 9.2h-10.4z",
  "M0 -5.8l5.8 5.8l-5.8 5.8l-5.8 -5.8z", "M0 5.4l5.2 -9.2h-10.4z",
];
const WIDTH = 620, HEIGHT = 250, LEFT = 46, RIGHT = 608, TOP = 14, BOTTOM = 214;

/** An element of SVG. */
function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const candidateText = (plan, [form, columns, rows, weight, registers, calls]) =>
  `${plan.forms[form]}, ${columns} × ${rows} elements: weight ${weight.toFixed(1)} a vector, ${registers} registers, ${calls} calls`;

/** Why nothing was weighed. */
function unplanned(own) {
  if (own.code === null) return "There is no code for this target.";
  if (own.name.startsWith("OpenCL")) return "OpenCL’s blocks are the author’s or follow from what is read; where there are several, the device that runs them times each once.";
  if (own.name === "Plain Rust") return "Plain Rust computes an element at a time: there is nothing to choose.";
  if (!own.bits) return "Elements take different numbers of iterations in a loop, so that they are not in vectors: there is nothing to choose.";
  const chosen = own.notes.find((note) => note.startsWith("chosen: "));
  return `Blocks of kernels with loops are weighed as whole programs, of which the page keeps the one that was ${chosen || "chosen"}.`;
}

function showPlan(box, note, own) {
  const { plan } = own;
  const notes = own.notes.length ? more("What the compiler says", make("pre", {}, own.notes.join("\n"))) : null;
  const calls = own.calls.length
    ? more("Instructions", make("p", {}, own.calls.map(([name, count]) => `${count} ${name}`).join(", "))) : null;
  note.textContent = "";
  if (!plan) {
    box.replaceChildren(make("p", { class: "note" }, unplanned(own)), ...[calls, notes].filter(Boolean));
    return;
  }
  note.textContent = `${plan.candidates.length} candidates for ${own.name}${plan.is_fixed ? "; the author fixed the block" : ""}`;
  const told = make("p", { class: "told", "aria-live": "polite" });
  const tell = (index) => {
    const word = index === plan.chosen ? "Chosen: " : "";
    const long = plan.candidates[index][5] > plan.most_calls ? ` — more than ${plan.most_calls}, too long to compile` : "";
    told.textContent = word + candidateText(plan, plan.candidates[index]) + long;
  };
  tell(plan.chosen);
  const parts = [plot(plan, tell), legend(plan), told, more("Candidates as a table", table(plan)), calls, notes];
  box.replaceChildren(...parts.filter(Boolean));
}

/** Candidates that are drawn: those of the same place and form are one mark, the lightest first. */
function order(plan) {
  const all = plan.candidates.map((_, index) => index);
  return all.sort((a, b) => plan.candidates[a][3] - plan.candidates[b][3]);
}

function plot(plan, tell) {
  const weights = plan.candidates.map((own) => own[3]);
  const [least, greatest] = [Math.min(...weights), Math.max(...weights)];
  const low = least / 1.25, high = Math.max(greatest * 1.1, least * 2);
  const most = Math.max(plan.registers * 1.25, ...plan.candidates.map((own) => own[4])) * 1.03;
  const x = (registers) => LEFT + ((RIGHT - LEFT) * registers) / most;
  const y = (weight) => BOTTOM - ((BOTTOM - TOP) * Math.log(weight / low)) / Math.log(high / low);
  const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": "Candidates by registers and weight. Arrow keys move from the lightest to the heaviest." });
  for (const tick of ticks(low, high)) {
    svg.append(draw("line", { class: "axis", x1: LEFT, x2: RIGHT, y1: y(tick), y2: y(tick) }));
    svg.append(draw("text", { x: LEFT - 8, y: y(tick) + 4, "text-anchor": "end" }, String(tick)));
  }
  const step = [4, 8, 16, 32, 64, 128].find((own) => most / own <= 9) || 256;
  for (let tick = 0; tick <= most; tick += step) svg.append(draw("text", { x: x(tick), y: BOTTOM + 16, "text-anchor": "middle" }, String(tick)));
  svg.append(draw("text", { x: RIGHT, y: BOTTOM + 32, "text-anchor": "end" }, "registers in use →"));
  svg.append(draw("text", { x: 0, y: 8 }, "weight a vector (logarithmic; less is faster)"));
  svg.append(draw("line", { class: "limit", x1: x(plan.registers), x2: x(plan.registers), y1: TOP, y2: BOTTOM }));
  svg.append(draw("text", { x: x(plan.registers) + 5, y: BOTTOM - 5 }, `${plan.registers} registers: beyond, values are spilled`));
  const marks = order(plan).reverse().map((index) => {
    const [form, , , weight, registers, calls] = plan.candidates[index];
    const place = `translate(${x(registers).toFixed(1)} ${y(weight).toFixed(1)})`;
    const group = draw("g", { transform: place, role: "img", tabindex: "-1", "data-c": index, "aria-label": candidateText(plan, plan.candidates[index]) });
    const colour = `var(--s${form % SHAPES.length})`;
    const isLong = calls > plan.most_calls;
    group.append(draw("circle", { class: "halo", r: 10 }));
    if (index === plan.chosen) group.append(draw("circle", { class: "ring", r: 9 }));
    group.append(draw("path", { class: isLong ? "mark long" : "mark", d: SHAPES[form % SHAPES.length], stroke: colour, ...(isLong ? {} : { fill: colour }) }));
    return group;
  });
  svg.append(...marks);
  const chosen = plan.candidates[plan.chosen];
  const [cx, cy] = [x(chosen[4]), y(chosen[3])];
  const isRight = cx > WIDTH * 0.6;
  svg.append(draw("text", { class: "chosen", x: cx + (isRight ? -13 : 13), y: cy + 18, "text-anchor": isRight ? "end" : "start" }, `${chosen[1]} × ${chosen[2]}`));
  listen(svg, marks.reverse(), plan, tell);
  return svg;
}

/** Round numbers between two, at most six. */
function ticks(low, high) {
  const all = [];
  for (let decade = 10 ** Math.floor(Math.log10(low)); decade < high; decade *= 10) {
    for (const digit of [1, 2, 3, 5, 7]) {
      const tick = digit * decade;
      if (tick >= low && tick <= high) all.push(Number(tick.toPrecision(2)));
    }
  }
  const every = Math.ceil(all.length / 6);
  return all.filter((_, index) => index % every === 0);
}

/** Marks by pointer, and by keyboard from the lightest on. */
function listen(svg, marks, plan, tell) {
  const of = (index) => marks.find((mark) => Number(mark.dataset.c) === index);
  const turn = (mark) => {
    for (const own of marks) own.classList.remove("on");
    mark?.classList.add("on");
    tell(mark ? Number(mark.dataset.c) : plan.chosen);
  };
  of(plan.chosen).setAttribute("tabindex", "0");
  svg.addEventListener("pointerover", (event) => turn(event.target.closest("[data-c]")));
  svg.addEventListener("pointerleave", () => turn(null));
  svg.addEventListener("focusin", (event) => turn(event.target.closest("[data-c]")));
  svg.addEventListener("focusout", () => turn(null));
  svg.addEventListener("keydown", (event) => {
    const now = marks.indexOf(document.activeElement);
    const next = { ArrowRight: now + 1, ArrowDown: now - 1, ArrowLeft: now - 1, ArrowUp: now + 1, Home: 0, End: marks.length - 1 }[event.key];
    if (now < 0 || next === undefined || !marks[next]) return;
    event.preventDefault();
    marks[now].setAttribute("tabindex", "-1");
    marks[next].setAttribute("tabindex", "0");
    marks[next].focus();
  });
}

function legend(plan) {
  const item = (name, form) => {
    const shape = draw("path", { d: SHAPES[form % SHAPES.length], fill: `var(--s${form % SHAPES.length})` });
    return make("span", {}, draw("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true" }, shape), name);
  };
  const long = plan.candidates.some((own) => own[5] > plan.most_calls) ? "hollow: more calls than compile fast" : null;
  return make("p", { class: "legend" }, ...plan.forms.map(item), long && make("span", {}, long));
}

function table(plan) {
  const head = ["form", "elements", "weight", "registers", "calls"];
  const row = (index) => {
    const [form, columns, rows, weight, registers, calls] = plan.candidates[index];
    const cells = [plan.forms[form], `${columns} × ${rows}`, weight.toFixed(1), registers, calls];
    const name = index === plan.chosen ? { class: "chosen", "aria-label": "chosen" } : {};
    return make("tr", name, ...cells.map((cell, place) => make("td", place ? { class: "r" } : {}, String(cell))));
  };
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((name, place) => make("th", { scope: "col", class: place ? "r" : "" }, name)))),
    make("tbody", {}, ...order(plan).map(row)));
}
