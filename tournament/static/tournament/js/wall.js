// Fits the sections of the wall to its screen, with the largest type in which a section fits on one screen. If none
// does, it first hides what may give way, then splits what is shown together, and at last uses several screens.
//
// A block flows in columns as wide as its style sheet says. What does not fit flows on to the right, and a screen is
// the part that is visible at once.

// A name gets at least this part of the screen's height (300 pixels of 1080), or is on one line.
const LEAST_NAME = 300 / 1080;
// In thousandths of the height of the screen; 34 are 36 pixels of 1080.
const SIZES = [74, 56, 46, 40, 34];
const SMALLEST = SIZES.at(-1);
// What gives way to the names, in this order.
const GIVES_WAY = ["", "no-games", "no-games no-bostons", "no-games no-bostons no-words"];
// Together with its seats: one above the other, or side by side, whichever allows the larger type.
const TOGETHER = SIZES.flatMap((size) => [
  ["stacked", [size]],
  ["in-two", [size]],
]);
// By itself: several columns are only for small type.
const ALONE = [
  ["single", SIZES],
  ["in-columns", [40, SMALLEST]],
];

function isSeen(one) {
  return one.offsetParent !== null;
}

function gapOf(flow) {
  return Number.parseFloat(getComputedStyle(flow).columnGap) || 0;
}

function screensOf(block) {
  const flow = block.querySelector("[data-flow]");
  if (!flow || !isSeen(flow)) return 1;
  const gap = gapOf(flow);
  return Math.max(1, Math.ceil((flow.scrollWidth + gap) / (flow.clientWidth + gap) - 0.05));
}

// A line of a name, as high as its type asks.
function isOnOneLine(name) {
  return (
    name.getClientRects().length < 2 &&
    name.getBoundingClientRect().height < 1.9 * Number.parseFloat(getComputedStyle(name).fontSize)
  );
}

function hasRoomForNames(section) {
  const least = LEAST_NAME * innerHeight - 1;
  return [...section.querySelectorAll(".name, .slotname")]
    .filter((name) => name.localName !== "th" && isSeen(name))
    .every((name) => name.getBoundingClientRect().width >= least || isOnOneLine(name.querySelector("span") || name));
}

function sticksOut(block) {
  const inside = block.querySelector("[data-flow], .bracketwrap") || block;
  const floor = block.parentElement.getBoundingClientRect().bottom;
  return (
    inside.scrollHeight > inside.clientHeight + 1 ||
    block.scrollWidth > block.clientWidth + 1 ||
    block.getBoundingClientRect().bottom > floor + 1 ||
    tableSticksOut(inside) ||
    singlesCover(block)
  );
}

// Single games for places are in the corner below the final, or in a row of their own.
function singlesCover(block) {
  const singles = [...block.querySelectorAll(".third")].map((one) => one.getBoundingClientRect());
  const cards = [...block.querySelectorAll(".bracket .match")].map((one) => one.getBoundingClientRect());
  return singles.some((single) => cards.some((card) => single.top < card.bottom && single.left < card.right));
}

// A table is never narrower than its longest figure.
function tableSticksOut(flow) {
  const table = flow.querySelector("table");
  return table !== null && isSeen(table) && table.getClientRects()[0].width > widthOfColumn(flow) + 1;
}

function widthOfColumn(flow) {
  const style = getComputedStyle(flow);
  const count = Number.parseInt(style.columnCount, 10) || 1;
  const gap = gapOf(flow);
  const fitted = Number.parseFloat(style.columnWidth);
  const columns = fitted ? Math.max(1, Math.floor((flow.clientWidth + gap) / (fitted + gap))) : count;
  return (flow.clientWidth - gap * (columns - 1)) / columns;
}

function setLook(section, layout, size, given) {
  section.className = [...section.classList]
    .filter((name) => name.startsWith("slide"))
    .concat(layout, given.split(" "))
    .filter(Boolean)
    .join(" ");
  section.style.setProperty("--type", size ? `${size / 10}vh` : "");
}

function blocksOf(section) {
  return [...section.querySelectorAll("[data-block]")];
}

function showOnly(section, shown) {
  for (const block of blocksOf(section)) block.hidden = !shown.includes(block);
}

function fits(section, shown) {
  return shown.every((block) => screensOf(block) === 1 && !sticksOut(block)) && hasRoomForNames(section);
}

// The first look that fits on one screen.
function lookThatFits(section, shown, layouts) {
  showOnly(section, shown);
  for (const [layout, sizes] of layouts)
    for (const size of sizes)
      for (const given of size === SMALLEST ? GIVES_WAY : [""]) {
        setLook(section, layout, size, given);
        if (fits(section, shown)) return section.className;
      }
  return "";
}

// Several screens: as many columns as leave enough room for the names, else one.
function lookInPages(section, block) {
  showOnly(section, [block]);
  for (const layout of ["in-columns", "single"])
    for (const given of GIVES_WAY) {
      setLook(section, layout, SMALLEST, given);
      if (!sticksOut(block) && hasRoomForNames(section)) return;
    }
}

// Spreads rows evenly: the least height that needs no more screens and columns.
function spread(block, screens) {
  const flow = block.querySelector("[data-flow]");
  if (!flow) return;
  const most = flow.clientHeight;
  flow.style.flex = "none";
  let [least, enough] = [Math.floor(most / 3), most];
  while (enough - least > 4) {
    const height = Math.round((least + enough) / 2);
    flow.style.height = `${height}px`;
    if (screensOf(block) <= screens && flow.scrollHeight <= flow.clientHeight + 1) enough = height;
    else least = height;
  }
  flow.style.height = `${enough}px`;
}

function screensOfBlock(section, block) {
  if (!lookThatFits(section, [block], ALONE)) lookInPages(section, block);
  const count = screensOf(block);
  if (count > 1 || section.classList.contains("in-columns")) spread(block, count);
  return Array.from({ length: count }, (_, page) => screenOf(section, [block], page, count));
}

function screensOfSection(section) {
  const blocks = blocksOf(section);
  section.hidden = false;
  // The list of matches replaces a bracket that does not fit.
  const [first, ...others] = blocks;
  if (section.dataset.slide === "bracket") {
    if (lookThatFits(section, [first], [["single", SIZES.slice(2)]])) return oneScreen(section, [first]);
    return screensOfBlock(section, others[0]);
  }
  if (others.length && lookThatFits(section, blocks, TOGETHER)) return oneScreen(section, blocks);
  return blocks.flatMap((block) => screensOfBlock(section, block));
}

// A fitted screen, to show again later.
function screenOf(section, blocks, page, count) {
  return { section, blocks, look: section.className, type: section.style.getPropertyValue("--type"), page, count };
}

function oneScreen(section, blocks) {
  return [screenOf(section, blocks, 0, 1)];
}

// Every screen of the wall in the order of display. On an upright screen, a section is one screen that scrolls.
export function layOut() {
  const sections = [...document.querySelectorAll("[data-slide]")];
  document.body.classList.add("paged");
  for (const flow of document.querySelectorAll("[data-flow]")) {
    flow.style.height = "";
    flow.style.flex = "";
  }
  for (const section of sections) {
    section.hidden = true;
    setLook(section, "", "", "");
  }
  if (innerHeight > innerWidth) return sections.flatMap((section) => oneScreen(section, uprightBlocks(section)));
  const screens = [];
  for (const section of sections) {
    screens.push(...screensOfSection(section));
    section.hidden = true;
  }
  return screens;
}

function uprightBlocks(section) {
  const blocks = blocksOf(section);
  return section.dataset.slide === "bracket" ? blocks.slice(-1) : blocks;
}

export function showScreen(screens, current) {
  for (const { section } of screens) section.hidden = true;
  const { section, blocks, look, type, page, count } = screens[current];
  section.hidden = false;
  section.className = look;
  section.style.setProperty("--type", type);
  showOnly(section, blocks);
  for (const block of blocks) {
    const flow = block.querySelector("[data-flow]");
    if (flow) flow.scrollLeft = page * (flow.getBoundingClientRect().width + gapOf(flow));
    const counted = block.querySelector("[data-page]");
    if (counted) counted.textContent = count > 1 ? `${page + 1} of ${count}` : "";
  }
}
