// The data: see `data.rs`. A place of the source is a number; what is known of it depends on the kernel, the choice of its
// variants and the target that are chosen.
const at = (id) => document.getElementById(id);
const data = JSON.parse(await unpacked(at("data").textContent));
const state = { kernel: 0, body: 0, target: "AVX2", place: null, kept: null, line: null, whole: false };

/** What is shown of a file whose pipelines call kernels of other files, one by one. */
const NONE = {
  name: "none", from: 0, to: 0, choices: [{ proof: "", values: [] }],
  bodies: [{ title: "", choice: 0, targets: [
    { name: "no kernel", step: "the file has no kernel, and its pipelines fuse none", code: null, from: 0, to: 0, bits: 0, calls: [], notes: [], cost: null, plan: null },
  ] }],
  codes: [],
};
const kernel = () => data.kernels[state.kernel] ?? NONE;
const body = () => kernel().bodies[state.body];
const choice = () => kernel().choices[body().choice];
const target = () => body().targets.find((own) => own.name === state.target) || body().targets[0];
const known = new Map();
const valueOf = (place) => known.get(place);
const lineOf = (place) => data.places[place][0];

/** A text that was deflated and is written in base64. */
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

/** An element with its attributes and children; a text is never read as HTML. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const parts = new Map();
for (const part of document.querySelectorAll(".v")) {
  const place = Number(part.dataset.p);
  if (!parts.has(place)) parts.set(place, []);
  parts.get(place).push(part);
}
const sourceLines = [...document.querySelectorAll(".line")];
/** The author's words at a place. */
const words = (place) => (parts.get(place) || []).map((part) => part.textContent.trim()).join(" ");
const isWithin = (place, outer) => {
  while (place !== null && place !== outer) place = data.places[place][1];
  return place === outer;
};
const percent = (share) => (share >= 0.0995 ? `${(share * 100).toFixed(0)} %` : `${(share * 100).toFixed(1)} %`);

// Kernels, bodies and targets.

function chooseKernel(index) {
  state.kernel = index;
  state.body = 0;
  at("kernel").value = index;
  at("body").replaceChildren(...kernel().bodies.map((own, number) => make("option", { value: number }, own.title)));
  at("body-label").hidden = kernel().bodies.length < 2;
  // What other kernels compute; helpers and constants may be this one's.
  const isIn = (own, number) => own.from <= number && number <= own.to;
  for (const line of sourceLines) {
    const number = Number(line.dataset.line);
    line.classList.toggle("out", !isIn(kernel(), number) && data.kernels.some((own) => isIn(own, number)));
  }
  chooseBody(0);
}

function chooseBody(index) {
  state.body = index;
  at("body").value = index;
  known.clear();
  for (const value of choice().values) known.set(value.place, value);
  for (const [place, list] of parts) {
    list.forEach((part, number) => {
      part.classList.toggle("known", known.has(place));
      if (known.has(place) && number === 0) part.tabIndex = -1;
      else part.removeAttribute("tabindex");
    });
  }
  const first = values()[0];
  if (first) first.tabIndex = 0;
  const tab = (own) => make("button", {
    type: "button", role: "tab", class: own.code === null ? "none" : "", "aria-controls": "code",
    onclick: () => chooseTarget(own.name),
  }, own.name);
  at("targets").replaceChildren(...body().targets.map(tab));
  state.kept = known.has(state.kept) ? state.kept : null;
  state.place = state.kept;
  chooseTarget(target().name);
}

function chooseTarget(name) {
  state.target = name;
  state.whole = false;
  for (const tab of at("targets").children) {
    const isChosen = tab.textContent === name;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
  }
  showCode();
  showShares();
  showPlan(at("plan"), at("plan-note"), target());
  show(state.place);
}

// Code.

const TOKENS = /(\/\/.*)|(^\s*#\[.*)|\b(let|unsafe|fn|while|if|else|use|mut|const|for|in|as|return|static|inline|__kernel|__global)\b|([A-Za-z_]\w*)(?=(?:::<[^>]*>)?\()|\b(\d[\w.]*)\b/g;
const CLASSES = ["c", "a", "k", "i", "n"];

/** A line of code in colours. */
function tinted(text) {
  const line = make("code");
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    line.append(text.slice(end, match.index));
    const group = match.slice(1).findIndex((own) => own !== undefined);
    line.append(make("span", { class: CLASSES[group] }, match[0]));
    end = match.index + match[0].length;
  }
  line.append(text.slice(end), "\n");
  return line;
}

function showCode() {
  const own = target();
  const lines = own.code === null ? [] : kernel().codes[own.code];
  const [from, to] = state.whole ? [0, lines.length] : [own.from, own.to];
  at("step").textContent = own.code === null ? "" : own.step;
  const isPart = own.code !== null && own.to - own.from < lines.length;
  at("whole").hidden = !isPart;
  at("whole").textContent = state.whole ? "This entry alone" : `Whole program (${lines.length} lines)`;
  if (own.code === null) {
    at("code").replaceChildren(make("p", { class: "empty" }, `No code for this target: ${own.step.replace(/^none: /, "")}.`));
  } else {
    const row = ([number, indentation, origin], index) => make(
      "div", { class: "row", tabindex: -1, "data-o": origin },
      make("span", { class: "no" }, String(from + index + 1)), tinted(" ".repeat(indentation) + data.lines[number]),
    );
    at("code").replaceChildren(...lines.slice(from, to).map(row));
  }
  at("code").scrollTop = 0;
}

const rows = () => [...at("code").querySelectorAll(".row")];
const originOf = (row) => Number(row.dataset.o);
/** The line of the source that a row comes from; 0 for none. */
const originLine = (origin) => (origin > 0 ? lineOf(origin - 1) : -origin);

/** How much of a target's cost each line of the source has. */
function showShares() {
  const { cost } = target();
  const of = new Map();
  for (const [place, weight] of cost ? cost.by : []) of.set(lineOf(place), (of.get(lineOf(place)) || 0) + weight);
  let sum = 0;
  for (const line of sourceLines) {
    const share = cost && cost.total > 0 ? (of.get(Number(line.dataset.line)) || 0) / cost.total : 0;
    sum += share;
    const cell = line.children[1];
    cell.textContent = share >= 0.0005 ? percent(share) : "";
    cell.style.setProperty("--part", `${(share * 100).toFixed(1)}%`);
  }
  const rest = "the rest: stores, the loop, addresses";
  const parts = { weight: `${percent(sum)} of ${state.target}’s cost; ${rest}`, statements: `${state.target}’s statements by line`, turns: `${state.target}’s statements by line, a loop’s 32 times` };
  at("covered").textContent = cost && sum > 0 ? parts[cost.unit] : "";
}

// Values.

/** Shows a place: its parts, the code from it, what is known of it. */
function show(place) {
  state.place = place;
  state.line = null;
  mark();
  showValue(place);
}

/** Lights up what belongs to the shown place, or to a line of the source. */
function mark() {
  for (const lit of document.querySelectorAll(".on, .near, .here")) lit.classList.remove("on", "near", "here");
  const { place } = state;
  const line = place === null ? state.line : lineOf(place);
  document.body.classList.toggle("kept", state.kept !== null);
  at("kept").hidden = state.kept === null;
  if (line !== null && line > 0) sourceLines[line - 1].classList.add("near");
  for (const part of parts.get(place) || []) part.classList.add("on");
  const token = place === null ? null : tokenPlace(place);
  const all = rows(), ticks = [];
  all.forEach((row, index) => {
    const origin = originOf(row);
    const isOwn = place === null ? line > 0 && originLine(origin) === line : origin === token + 1;
    if (isOwn) {
      row.classList.add("on");
      ticks.push(make("i", { style: `top: ${((100 * index) / all.length).toFixed(2)}%` }));
    } else if (place !== null && origin !== 0 && originLine(origin) === line) row.classList.add("near");
  });
  at("strip").replaceChildren(...ticks.slice(0, 400));
}

/** Keeps a place until another is kept; `isSought`: its code and its place in the source are brought into view. */
function keep(place, isSought) {
  state.kept = place;
  show(place);
  if (place === null || !isSought) return;
  const row = rows().find((own) => own.classList.contains("on"));
  if (row) into(at("code"), row);
  const [part] = parts.get(place) || [];
  if (part) into(at("source"), part.closest(".line"));
}

/** Scrolls a pane until a line of it is seen. */
function into(pane, line) {
  const [outer, inner] = [pane.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) pane.scrollTop += inner.top - outer.top - outer.height / 3;
}

// The source by pointer and by keyboard.

const values = () => [...at("source").querySelectorAll(".v.known[tabindex]")];
const placeAt = (element) => {
  const part = element.closest(".v.known");
  return part ? Number(part.dataset.p) : null;
};

function chooseFunctionAt(element) {
  const line = Number(element.closest(".line")?.dataset.line ?? 0);
  const found = data.kernels.findIndex((own) => own.from <= line && line <= own.to);
  if (found >= 0 && !(kernel().from <= line && line <= kernel().to)) chooseKernel(found);
}

at("source").addEventListener("pointerover", (event) => {
  if (state.kept !== null) return;
  const place = placeAt(event.target), line = event.target.closest(".line");
  show(place);
  if (place === null && line) {
    state.line = Number(line.dataset.line);
    mark();
  }
});
at("source").addEventListener("pointerleave", () => { if (state.kept === null) show(null); });
at("source").addEventListener("click", (event) => {
  chooseFunctionAt(event.target);
  const place = placeAt(event.target);
  keep(place !== null && place === state.kept ? null : place, true);
  if (place !== null) rove(values(), parts.get(place)[0]);
});
at("source").addEventListener("focusin", (event) => {
  const place = placeAt(event.target);
  if (place !== null && state.kept === null && event.target.matches(":focus-visible")) show(place);
});

/** Moves the one tab stop of a list to an element, and the focus with it. */
function rove(list, element) {
  if (!element) return;
  for (const own of list) own.tabIndex = -1;
  element.tabIndex = 0;
  element.focus({ preventScroll: true });
}

at("source").addEventListener("keydown", (event) => {
  const all = values(), now = all.indexOf(document.activeElement);
  const line = (element) => Number(element.closest(".line").dataset.line);
  let next = null;
  if (event.key === "ArrowRight") next = all[now + 1];
  else if (event.key === "ArrowLeft") next = all[now - 1];
  else if (event.key === "ArrowDown") next = all.find((own) => now < 0 || line(own) > line(all[now]));
  else if (event.key === "ArrowUp") next = all.findLast((own) => now >= 0 && line(own) < line(all[now]));
  else if (event.key === "Home") next = all[0];
  else if (event.key === "End") next = all.at(-1);
  else if (event.key === "Enter" && now >= 0) keep(placeAt(all[now]), true);
  else return;
  event.preventDefault();
  if (!next) return;
  state.kept = null;
  rove(all, next);
  into(at("source"), next.closest(".line"));
  show(placeAt(next));
});

// The code by pointer and by keyboard: a line leads back to the source.

/** Shows where a row comes from; `isSought`: the source is brought there. */
function showRow(row, isSought) {
  const origin = originOf(row);
  const place = origin > 0 && parts.has(origin - 1) ? origin - 1 : null;
  state.place = place;
  state.line = place === null && origin !== 0 ? originLine(origin) : null;
  mark();
  showValue(place);
  row.classList.add("here");
  if (isSought && origin !== 0) into(at("source"), sourceLines[originLine(origin) - 1]);
}

at("code").addEventListener("pointerover", (event) => {
  const row = event.target.closest(".row");
  if (row && state.kept === null) showRow(row, false);
});
at("code").addEventListener("pointerleave", () => { if (state.kept === null) show(null); });
at("code").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row) return;
  state.kept = null;
  showRow(row, true);
  state.kept = state.place;
  mark();
  row.classList.add("here");
});
at("code").addEventListener("keydown", (event) => {
  const all = rows(), now = all.indexOf(document.activeElement);
  const steps = { ArrowDown: now + 1, ArrowUp: Math.max(now - 1, 0), Home: 0, End: all.length - 1, PageDown: now + 20, PageUp: Math.max(now - 20, 0) };
  if (event.key === "Enter" && now >= 0) {
    const origin = originOf(all[now]);
    if (origin > 0 && known.has(origin - 1)) {
      keep(origin - 1, true);
      rove(values(), parts.get(origin - 1)[0]);
    }
  } else if (event.key in steps) {
    const next = all[Math.min(steps[event.key], all.length - 1)];
    state.kept = null;
    if (next) {
      next.focus({ preventScroll: true });
      into(at("code"), next);
      showRow(next, true);
    }
  } else return;
  event.preventDefault();
});

// The rest of the page.

at("kernel").addEventListener("change", (event) => chooseKernel(Number(event.target.value)));
at("body").addEventListener("change", (event) => chooseBody(Number(event.target.value)));
at("whole").addEventListener("click", () => {
  state.whole = !state.whole;
  showCode();
  mark();
});
at("targets").addEventListener("keydown", (event) => {
  const tabs = [...at("targets").children], now = tabs.indexOf(document.activeElement);
  const next = { ArrowRight: tabs[now + 1], ArrowLeft: tabs[now - 1], Home: tabs[0], End: tabs.at(-1) }[event.key];
  if (!next) return;
  event.preventDefault();
  chooseTarget(next.textContent);
  next.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && state.kept !== null) {
    keep(null, false);
    // What the pointer is at, or the keyboard.
    const pointed = [...at("source").querySelectorAll(".v.known:hover")].at(-1) ?? document.activeElement;
    show(placeAt(pointed));
  }
});

at("kernel").append(...data.kernels.map((own, index) => make("option", { value: index }, own.name)));
chooseKernel(0);
const first = sourceLines[kernel().from - 1];
if (first) at("source").scrollTop = Math.max(0, first.offsetTop - sourceLines[0].offsetTop - 40);
// Until now the page showed the source alone.
document.body.classList.add("drawn");
