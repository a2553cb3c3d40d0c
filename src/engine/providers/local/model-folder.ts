// A folder with an embedding model, as transformers.js reads it: what is in it, and by what its vectors are known.
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { formatZodError } from '#base/json.ts';

interface ModelFolder {
  path: string;
  /** The folder's own name, and a digest of what is in it: the same model in another place is the same. */
  name: string;
  dimensions: number;
  /** Longer texts are cut off. */
  tokens: number;
  /** Which of the model's files is used, as transformers.js calls its precision. */
  precision: string;
}

/** The precisions by the ends of their files (`onnx/model_quantized.onnx`); the first one that is there is used. */
const precisions: readonly (readonly [precision: string, end: string])[] = [
  ['q8', '_quantized'],
  ['fp32', ''],
  ['fp16', '_fp16'],
  ['int8', '_int8'],
  ['uint8', '_uint8'],
  ['q4', '_q4'],
  ['q4f16', '_q4f16'],
  ['bnb4', '_bnb4'],
];
/** Tokens of a text where the model does not say how many it takes. */
const usualTokens = 512;
/** Of a model's weights so many pieces of this size are looked at: all of them would take longer than a search. */
const sampled = { pieces: 16, bytes: 64 * 1024 };

const size = z.int().min(8).max(4096).optional();
const configSchema = z.looseObject({
  hidden_size: size,
  dim: size,
  d_model: size,
  max_position_embeddings: z.int().min(8).optional(),
});
const tokenizerSchema = z.looseObject({ model_max_length: z.number().min(8).optional() });

/** Looks into the folder; a ParleyError `model_folder` says what is missing in it, without saying where it is. */
export function readModelFolder(path: string, dimensions?: number): ModelFolder {
  const folder = basename(path);
  const failure = (words: string, cause?: unknown): ParleyError =>
    new ParleyError('model_folder', `the model folder "${folder}" ${words}`, {
      hint: 'Expected config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx or onnx/model.onnx; see `memory.embedding.folder`.',
      cause,
    });
  if (!existsSync(path)) throw failure('does not exist');
  const json = <T>(name: string, schema: z.ZodType<T>): T => {
    if (!existsSync(join(path, name))) throw failure(`has no ${name}`);
    try {
      const read = schema.safeParse(JSON.parse(readFileSync(join(path, name), 'utf8')));
      if (read.success) return read.data;
      throw new Error(formatZodError(read.error).join('; '));
    } catch (cause) {
      throw failure(`has a ${name} that cannot be used (${errorMessage(cause)})`, cause);
    }
  };
  const config = json('config.json', configSchema);
  const tokenizer = json('tokenizer_config.json', tokenizerSchema);
  json('tokenizer.json', z.looseObject({}));
  const [precision, end] = precisions.find(([, ending]) => existsSync(fileOf(path, ending))) ?? [];
  if (precision === undefined || end === undefined)
    throw failure('has no onnx/model_quantized.onnx or onnx/model.onnx');
  const own = config.hidden_size ?? config.dim ?? config.d_model;
  if (own === undefined && dimensions === undefined)
    throw failure('does not say how many numbers its vectors have: set `memory.embedding.dimensions`');
  const tokens = Math.min(
    tokenizer.model_max_length ?? Number.POSITIVE_INFINITY,
    config.max_position_embeddings ?? Number.POSITIVE_INFINITY,
  );
  return {
    path,
    name: `${folder}-${digestOf(path, end)}`,
    dimensions: dimensions ?? own ?? 0,
    tokens: Number.isFinite(tokens) ? tokens : usualTokens,
    precision,
  };
}

/**
 * Which files of a model are needed to run it, the weights last, by what `has` says is there; or the name of one that is missing. Paths
 * are relative to the folder, with slashes.
 */
export function filesOfModel(has: (path: string) => boolean): string[] | string {
  const [, end] = precisions.find(([, ending]) => has(`onnx/model${ending}.onnx`)) ?? [];
  if (end === undefined) return 'onnx/model_quantized.onnx or onnx/model.onnx';
  const weights = `onnx/model${end}.onnx`;
  const texts = ['config.json', 'tokenizer_config.json', 'tokenizer.json'];
  const more = has(`${weights}_data`) ? [`${weights}_data`] : [];
  return texts.find((path) => !has(path)) ?? [...texts, ...more, weights];
}

function fileOf(path: string, end: string): string {
  return join(path, 'onnx', `model${end}.onnx`);
}

/** Another model, another tokenizer or another precision gives other vectors. */
function digestOf(path: string, end: string): string {
  const hash = createHash('sha256').update(end);
  for (const name of ['config.json', 'tokenizer.json', 'tokenizer_config.json'])
    hash.update(readFileSync(join(path, name)));
  const weights = `${fileOf(path, end)}_data`;
  for (const file of [fileOf(path, end), ...(existsSync(weights) ? [weights] : [])]) sampleInto(hash, file);
  return hash.digest('hex').slice(0, 12);
}

function sampleInto(hash: ReturnType<typeof createHash>, file: string): void {
  const open = openSync(file, 'r');
  try {
    const bytes = fstatSync(open).size;
    hash.update(String(bytes));
    const piece = Buffer.alloc(sampled.bytes);
    const step = Math.max(sampled.bytes, Math.floor(bytes / sampled.pieces));
    for (let at = 0; at < bytes; at += step)
      hash.update(piece.subarray(0, readSync(open, piece, 0, piece.length, at)));
  } finally {
    closeSync(open);
  }
}
