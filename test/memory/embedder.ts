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

/** A model of eight dimensions, or of as many as are named. */
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
  for (const [index, theme] of themes.entries()) if (theme.test(text)) vector[index] = 1;
  vector[dimensions - 1] = 0.1;
  return vector;
}
