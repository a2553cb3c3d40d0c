// What is said between the local embedding model's thread and its starter. Shapes only.

export interface LocalModelData {
  /** Where @huggingface/transformers is looked for from: a file's path or URL. */
  from: string;
  path: string;
  precision: string;
  tokens: number;
  pooling: 'mean' | 'cls';
}

export interface LocalAsked {
  id: number;
  texts: readonly string[];
}

/** `missing`: the package is not there, or cannot be loaded on this machine. */
export type LocalAnswer =
  | { id: number; kind: 'vectors'; vectors: number[][] }
  | { id: number; kind: 'failure'; missing: boolean; words: string };
