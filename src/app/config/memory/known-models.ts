// Embedding models that Parley knows the files of: at which commit, with which content, and what the model wants around a text. Any other one is named with its commit.

/** A file of a model on a hub. One of the two digests is there: large files have the first, small ones of an unknown model the second. */
export interface HubFile {
  path: string;
  bytes: number;
  sha256?: string | undefined;
  /** As git names content: SHA-1 over `blob SIZE`, a zero byte and the content. */
  gitBlob?: string | undefined;
}

interface KnownModel {
  /** The commit, 40 hexadecimal digits. */
  revision: string;
  pooling: 'mean' | 'cls';
  documentPrefix: string;
  queryPrefix: string;
  files: readonly HubFile[];
}

/** What `parley init` offers: small, and for about a hundred languages. */
export const offeredModel = 'Xenova/multilingual-e5-small';

/** Prefixes and pooling are those of the model's own card. */
export const knownModels: Readonly<Record<string, KnownModel>> = {
  [offeredModel]: {
    revision: '761b726dd34fb83930e26aab4e9ac3899aa1fa78',
    pooling: 'mean',
    documentPrefix: 'passage: ',
    queryPrefix: 'query: ',
    files: [
      {
        path: 'config.json',
        bytes: 658,
        sha256: 'cb99455288675345e1a4f411438d5d0adbba5fbd3a67ea4fb03c015433b996c1',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 443,
        sha256: 'a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b',
      },
      {
        path: 'tokenizer.json',
        bytes: 17_082_730,
        sha256: '0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39',
      },
      {
        path: 'onnx/model_quantized.onnx',
        bytes: 118_308_185,
        sha256: 'f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193',
      },
    ],
  },
};

/** How many bytes are downloaded for a known model. */
export function downloadBytes({ files }: Pick<KnownModel, 'files'>): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
