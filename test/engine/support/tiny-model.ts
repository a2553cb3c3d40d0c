// An embedding model of eight words in a folder, made here: a table that is looked up, as ONNX, with its tokenizer. Not a test.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const installed = join(import.meta.dirname, '..', '..', 'local-model', 'package.json');

/** Where @huggingface/transformers is looked for from, and why it cannot be asked, for a test's `skip`. */
export const localModels: { from: string; skip: string | false } = {
  from: installed,
  skip: existsSync(join(installed, '..', 'node_modules', '@huggingface', 'transformers'))
    ? false
    : 'transformers.js is not installed here: run `npm run local-model:install`',
};

/** How many numbers its vectors have. */
export const tinyDimensions = 8;
const words = ['[PAD]', '[UNK]', 'bike', 'bicycle', 'boat', 'ship', 'tea', 'passage'];
/** What each word is about, as the place of the one number that is large; `[UNK]` and `[PAD]` are about nothing. */
const about = [-1, -1, 0, 0, 1, 1, 2, 3];

/** Writes the model; words about one thing are near each other, by `weight`. */
export function writeTinyModel(folder: string, weight = 1): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const json = (name: string, value: object): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json('config.json', {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: tinyDimensions,
    max_position_embeddings: 16,
  });
  json('tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizerFast',
    pad_token: '[PAD]',
    unk_token: '[UNK]',
  });
  const special = words.slice(0, 2).map((content, id) => ({
    id,
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  }));
  json('tokenizer.json', {
    version: '1.0',
    added_tokens: special,
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  });
  const table = about.flatMap((place) =>
    Array.from({ length: tinyDimensions }, (_, index) => (index === place ? weight : 0.01)),
  );
  writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), lookUp(Float32Array.from(table)));
}

/** `last_hidden_state = table[input_ids]`, in ONNX's protobuf; the numbers of its fields are those of onnx.proto. */
function lookUp(table: Float32Array): Buffer {
  const tensorType = { float: 1, int64: 7 };
  const graph = message(
    field(
      1,
      message(field(1, 'table'), field(1, 'input_ids'), field(2, 'last_hidden_state'), field(4, 'Gather')),
    ),
    field(2, 'look up'),
    field(
      5,
      message(
        field(1, words.length),
        field(1, tinyDimensions),
        field(2, tensorType.float),
        field(8, 'table'),
        field(9, Buffer.from(table.buffer)),
      ),
    ),
    field(11, valueInfo('input_ids', tensorType.int64, ['texts', 'tokens'])),
    field(11, valueInfo('attention_mask', tensorType.int64, ['texts', 'tokens'])),
    field(12, valueInfo('last_hidden_state', tensorType.float, ['texts', 'tokens', tinyDimensions])),
  );
  return message(field(1, 8), field(8, message(field(2, 17))), field(7, graph));
}

function valueInfo(name: string, type: number, shape: readonly (string | number)[]): Buffer {
  const dims = shape.map((each) =>
    field(1, message(typeof each === 'number' ? field(1, each) : field(2, each))),
  );
  return message(
    field(1, name),
    field(2, message(field(1, message(field(1, type), field(2, message(...dims)))))),
  );
}

const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);

function field(number: number, value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return Buffer.from([number << 3, value]); // every number here is below 128
  const bytes = Buffer.from(value);
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...length]), bytes]);
}
