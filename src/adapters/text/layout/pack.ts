// Leaves into parts: each as full as good breaks allow, none beyond the limit. Knows no platform's markup.
import { hasInk } from '#adapters/text/parse/clean.ts';
import { cutLeaf } from './cut.ts';
import { type Leaf, textOfLeaf } from './leaf.ts';

/** What a leaf takes in a message: units of text, and entities where the platform counts these. */
interface Size {
  units: number;
  entities: number;
}

/** A leaf in its part. */
export interface Placed<Shape> {
  leaf: Leaf;
  shape: Shape;
  /** What joins it to the leaf before it; empty for the first. */
  join: string;
}

/** Columns left of two leaves that follow each other, as their part has them. */
export interface Indents {
  before: number;
  leaf: number;
}

interface Packing<Shape> {
  limit: Size;
  /** The leaf as the platform takes it, with `indent` columns left of it. */
  shape(leaf: Leaf, indent: number): Shape;
  size(shape: Shape): Size;
  join(before: Leaf, leaf: Leaf, indents: Indents): string;
  /** Whether code is at the left edge, so that a list begins again behind it. */
  code: 'in lists' | 'at the edge';
}

// A leaf that fits nowhere whole is begun in the current part only if at least this share of it is free.
const worthBeginning = 0.25;

/** What was shaped last of each leaf: a block is tried in its place, in a separate part, and then placed. */
type Shaped<Shape> = WeakMap<Leaf, { indent: number; shape: Shape; size: Size }>;

interface State<Shape> {
  shaped: Shaped<Shape>;
  parts: Placed<Shape>[][];
  part: Placed<Shape>[];
  used: Size;
  /** Columns left out where a part, a quote or the like begins inside a list, since nothing stands left of it. */
  base: number;
}

/** Groups leaves into parts. Every part holds something to read; a leaf is cut only when no part could hold it whole. */
export function pack<Shape>(leaves: readonly Leaf[], packing: Packing<Shape>): Placed<Shape>[][] {
  const state: State<Shape> = {
    shaped: new WeakMap(),
    parts: [],
    part: [],
    used: { units: 0, entities: 0 },
    base: 0,
  };
  for (let i = 0; i < leaves.length; i++) {
    const leaf = leaves[i] as Leaf; // i is below the length
    const block = leaf.place.block;
    const begins = leaves[i - 1]?.place.block !== block && leaves[i + 1]?.place.block === block;
    if (begins && state.part.length > 0) {
      if (!blockFits(leaves, i, state, packing) && blockFits(leaves, i, empty(state), packing))
        flush(state, packing);
    }
    place(leaf, state, packing);
  }
  if (state.part.length > 0) state.parts.push(state.part);
  return state.parts;
}

function place<Shape>(whole: Leaf, state: State<Shape>, packing: Packing<Shape>): void {
  let leaf = whole;
  for (;;) {
    if (add(leaf, state, packing)) return;
    const free = packing.limit.units - state.used.units;
    const announced = state.part.every((placed) => isHeading(placed.leaf));
    if (
      !announced &&
      (sizeIn(leaf, empty(state), packing) !== undefined || free < packing.limit.units * worthBeginning)
    ) {
      flush(state, packing);
      continue;
    }
    const cut = cutLeaf(leaf, free, (head) => sizeIn(head, state, packing) !== undefined);
    if (cut === undefined) {
      if (state.part.length === 0)
        throw new RangeError(`Expected a limit that holds one character, got ${free}.`);
      flush(state, packing);
      continue;
    }
    if (isEmpty(cut.head)) {
      leaf = cut.rest;
      continue;
    }
    add(cut.head, state, packing);
    endPart(state);
    if (isEmpty(cut.rest)) return;
    leaf = cut.rest;
  }
}

function isEmpty(leaf: Leaf): boolean {
  const words = leaf.type === 'text' ? leaf.runs.map((run) => run.text) : leaf.lines;
  return words.every((text) => !hasInk(text));
}

/** Adds the leaf if it fits. */
function add<Shape>(leaf: Leaf, state: State<Shape>, packing: Packing<Shape>): boolean {
  const found = sizeIn(leaf, state, packing);
  if (found === undefined) return false;
  state.part.push(found.placed);
  state.used = found.used;
  state.base = found.base;
  return true;
}

function sizeIn<Shape>(
  leaf: Leaf,
  { shaped, part, used, base }: State<Shape>,
  packing: Packing<Shape>,
): { placed: Placed<Shape>; used: Size; base: number } | undefined {
  // shaping can halve blank stretches, not more: a cheap refusal leaves huge leaves linear
  if (rawUnits(leaf, 2 * packing.limit.units) > 2 * packing.limit.units) return undefined;
  const before = part.at(-1)?.leaf;
  const column = leaf.place.indent;
  const startsBlock =
    before === undefined ||
    before.place.quoteID !== leaf.place.quoteID ||
    before.place.quoteDepth !== leaf.place.quoteDepth ||
    (before.type === 'code' && (before.edge || packing.code === 'at the edge'));
  const newBase = startsBlock ? column : Math.min(base, column);
  const indent = column - newBase;
  const { shape, size } = shapeOf(leaf, indent, { shaped, packing });
  const join =
    before === undefined
      ? ''
      : packing.join(before, leaf, { before: before.place.indent - base, leaf: indent });
  const units = used.units + join.length + size.units;
  const entities = used.entities + size.entities;
  if (units > packing.limit.units || entities > packing.limit.entities) return undefined;
  return { placed: { leaf, shape, join }, used: { units, entities }, base: newBase };
}

function shapeOf<Shape>(
  leaf: Leaf,
  indent: number,
  { shaped, packing }: { shaped: Shaped<Shape>; packing: Packing<Shape> },
): { shape: Shape; size: Size } {
  const known = shaped.get(leaf);
  if (known?.indent === indent) return known;
  const shape = packing.shape(leaf, indent);
  const made = { indent, shape, size: packing.size(shape) };
  shaped.set(leaf, made);
  return made;
}

/** Length of the leaf's text, counted no further than beyond `enough`. */
function rawUnits(leaf: Leaf, enough: number): number {
  let units = 0;
  if (leaf.type === 'text') for (const run of leaf.runs) units += run.text.length;
  else
    for (let i = 0; i < leaf.lines.length && units <= enough; i++) units += (leaf.lines[i]?.length ?? 0) + 1;
  return units;
}

/** A part that holds nothing yet. */
function empty<Shape>({ shaped }: State<Shape>): State<Shape> {
  return { shaped, parts: [], part: [], used: { units: 0, entities: 0 }, base: 0 };
}

/** Whether the block that begins at `from` fits behind what the part holds, or into a part of its own. */
function blockFits<Shape>(
  leaves: readonly Leaf[],
  from: number,
  start: State<Shape>,
  packing: Packing<Shape>,
): boolean {
  const block = leaves[from]?.place.block;
  const trial = { ...start, parts: [], part: start.part.slice(-1) };
  for (let i = from; i < leaves.length && leaves[i]?.place.block === block; i++)
    if (!add(leaves[i] as Leaf, trial, packing)) return false; // i is below the length
  return true;
}

/** Ends the part; headings at its end go with what they announce. */
function flush<Shape>(state: State<Shape>, packing: Packing<Shape>): void {
  const { part } = state;
  let save = part.length;
  while (save > 0 && isHeading(part[save - 1]?.leaf)) save--;
  const carried = save > 0 ? part.splice(save) : [];
  endPart(state);
  for (const { leaf } of carried) add(leaf, state, packing);
}

function endPart<Shape>(state: State<Shape>): void {
  state.parts.push(state.part);
  state.part = [];
  state.used = { units: 0, entities: 0 };
  state.base = 0;
}

function isHeading(leaf: Leaf | undefined): boolean {
  return leaf?.type === 'text' && leaf.heading > 0 && textOfLeaf(leaf) !== '';
}
