// A model of vectors for tests: texts about the same thing in other words are near. It can be made to fail. Not a test.
import type { Embedder } from '#memory/types/embedding.ts';

const themes = [
  /\b(bike|bicycle|cycle|ride|saddle)\b/i,
  /\b(boat|ship|sail|harbour)\b/i,
  /\b(cat|kitten|pet)\b/i,
  /\b(tea|coffee|drink)\b/i,
];

export interface TestEmbedder extends Embedder {
  /** The texts of each call. */
  calls: string[][];
  /** What the next calls reject with, or give instead of a vector. */
  fault: { error?: Error; vector?: number[] } | undefined;
}

/** A model of eight dimensions, or of as many as are named; with 64 or more about half of a vector's numbers are below 0, as a real model's are. */
export function testEmbedder(model = 'themes', dimensions = 8): TestEmbedder {
  const embedder: TestEmbedder = {
    identity: { provider: 'test', model, dimensions },
    atOnce: 4,
    calls: [],
    fault: undefined,
    async embed(texts) {
      embedder.calls.push([...texts]);
      const { error, vector } = embedder.fault ?? {};
      if (error !== undefined) throw error;
      return texts.map((text) => vector ?? vectorOf(text, dimensions));
    },
  };
  return embedder;
}

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, (_, index) => 0.01 * ((text.length + index) % 3));
  for (const [index, theme] of themes.entries()) {
    if (!theme.test(text)) continue;
    if (dimensions < 64) vector[index] = 1;
    else for (const place of vector.keys()) vector[place] = (vector[place] ?? 0) + wayOf(index, place);
  }
  vector[dimensions - 1] = 0.1;
  return vector;
}

/** 1 or -1, as if by chance: two themes have little in common. */
function wayOf(theme: number, place: number): number {
  const mixed = Math.imul(theme + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b);
  return ((Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35) >>> 16) & 1) * 2 - 1;
}
