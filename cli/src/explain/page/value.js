// What is known of a value: its range and why, its lanes, its share of each target's cost.

/** The place that code names: a use of a binding stands for the expression that was bound. */
const tokenPlace = (place) => valueOf(place)?.stands ?? place;

/** What lanes of a type are in a vector of the chosen target. */
function lanesText(type) {
  const { bits, name } = target(), width = Number((type.match(/\d+/) || [0])[0]);
  return bits && width ? `${type}: ${bits / width} in a vector of ${name}` : type;
}

function showValue(place) {
  const value = place === null ? null : valueOf(place), box = at("value");
  if (!value) {
    const hint = "Point at an expression of the source, or go there by Tab and the arrow keys.";
    const proof = choice().proof;
    box.replaceChildren(make("p", { class: "note" }, hint), more("The proof as text", make("pre", {}, proof)));
    return;
  }
  const copies = value.count === 1 ? "" : ` · ${value.count} values`;
  const facts = make("dl", { class: "facts" });
  const add = (term, ...content) => facts.append(make("dt", {}, term), make("dd", {}, ...content));
  add("Why", value.reason, operands(value));
  if (value.proofs.length) add("Proved", make("ul", {}, ...value.proofs.map((proof) => make("li", {}, ...quoted(proof)))));
  add("Lanes", value.lanes.length ? value.lanes.map(lanesText).join("; ") : "none: it is the same for a whole run");
  add("Cost", costs(place));
  if (value.names.some((name) => name !== words(place))) add("Named", make("code", {}, value.names.join(", ")));
  box.replaceChildren(
    make("div", { class: "title" },
      make("span", { class: "expr" }, words(place)),
      make("span", { class: "range" }, `${value.type} in ${value.range}`), make("span", { class: "note" }, copies)),
    facts,
  );
  const lines = rows().filter((row) => row.classList.contains("on")).length;
  at("said").textContent = `${words(place)}: ${value.type} in ${value.range}${copies}; ${lines} lines of ${state.target}`;
}

/** A text whose parts between backticks are code. */
const quoted = (text) => text.split("`").map((part, place) => (place % 2 ? make("code", {}, part) : part));

const more = (title, content) => make("details", { class: "more" }, make("summary", {}, title), content);

/** What a value is computed from: buttons that lead there. */
function operands(value) {
  if (!value.from.length) return null;
  const item = ({ text, place, range }) => {
    const name = place === null || !parts.has(place)
      ? make("code", {}, text || "…")
      : make("button", { type: "button", class: "operand", onclick: () => keep(place, true) }, text || words(place));
    return make("li", {}, name, text === range ? "" : ` in ${range}`);
  };
  return make("ul", {}, ...value.from.map(item));
}

/** The share of a place, by itself and with its parts, of each target's cost. */
function costs(place) {
  const token = tokenPlace(place);
  const row = (own) => {
    let [alone, all] = [0, 0];
    for (const [other, weight] of own.cost.by) {
      if (other === token) alone += weight;
      if (isWithin(other, token)) all += weight;
    }
    const [share, sum] = [alone / (own.cost.total || 1), all / (own.cost.total || 1)];
    const bar = make("span", { class: "bar", "aria-hidden": "true" },
      make("i", { class: "parts", style: `width: ${(sum * 100).toFixed(1)}%` }),
      make("i", { style: `width: ${(share * 100).toFixed(1)}%` }));
    if (sum === 0) return null;
    return make("tr", { class: own.name === state.target ? "this" : "" },
      make("th", { scope: "row" }, own.name), make("td", {}, bar), make("td", { class: "r" }, percent(share)),
      make("td", { class: "r" }, percent(sum)), make("td", { class: "note" }, { weight: "", statements: "of statements", turns: "of statements, a loop’s 32 times" }[own.cost.unit]));
  };
  const head = make("tr", {}, ...["", "", "itself", "with its parts", ""].map((name) => make("th", { class: "r", scope: "col" }, name)));
  const found = body().targets.filter(({ cost }) => cost && cost.total > 0).map(row).filter(Boolean);
  if (!found.length) return "nothing is computed here alone: other instructions take it in";
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...found));
}
