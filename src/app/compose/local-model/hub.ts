// A hub of models over HTTP, as huggingface.co and its mirrors are: which files a commit has, and one of them from a byte on. Keeps nothing.
import { z } from 'zod';
import type { HubFile } from '#app/config/memory/known-models.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { parseJson } from '#base/json.ts';
import { filesOfModel } from '#engine/providers/local/model-folder.ts';

export interface HubModel {
  /** Address of the hub, without a slash at its end. */
  hub: string;
  /** `OWNER/NAME`. */
  name: string;
  /** A commit: what it names never changes. */
  revision: string;
}

/** Of an entry of the tree, what is used here (huggingface.co/docs/hub/api, `GET /api/models/{repo}/tree/{revision}`). */
const treeSchema = z.array(
  z.looseObject({
    type: z.string(),
    path: z.string(),
    size: z.int().min(0),
    oid: z.string(),
    lfs: z.looseObject({ oid: z.string(), size: z.int().min(0) }).optional(),
  }),
);

/**
 * The files of the model that are needed to run it, the weights last. Throws a ParleyError `model_download` when the hub does not know it
 * or it has no weights for transformers.js.
 */
export async function listModelFiles(model: HubModel, signal: AbortSignal): Promise<HubFile[]> {
  const { hub, name, revision } = model;
  const response = await fetch(`${hub}/api/models/${name}/tree/${revision}?recursive=true`, { signal });
  if (!response.ok) throw refusalOf(model, response);
  const text = await response.text();
  let tree: z.infer<typeof treeSchema>;
  try {
    tree = parseJson(text, treeSchema, 'the list of its files');
  } catch (cause) {
    throw new ParleyError(
      'model_download',
      `${hub} does not list the files of "${name}": ${errorMessage(cause)}.`,
      {
        hint: 'Look at `memory.embedding.baseUrl`: expected the address of a hub like https://huggingface.co.',
        cause,
      },
    );
  }
  const entries = new Map(tree.filter(({ type }) => type === 'file').map((entry) => [entry.path, entry]));
  const needed = filesOfModel((path) => entries.has(path));
  if (typeof needed === 'string')
    throw new ParleyError('model_download', `The model "${name}" has no ${needed} at ${revision}.`, {
      hint: 'Choose a model that has weights for transformers.js (a folder "onnx").',
    });
  return needed.flatMap((path) => {
    const entry = entries.get(path);
    if (entry === undefined) return [];
    const { lfs, oid, size } = entry;
    return [
      lfs === undefined ? { path, bytes: size, gitBlob: oid } : { path, bytes: lfs.size, sha256: lfs.oid },
    ];
  });
}

/** The file from this byte on; `from` of the answer is 0 where the hub sends it whole. Refusals that no second try fixes are ParleyErrors. */
export async function openModelFile(
  model: HubModel,
  { path, from, signal }: { path: string; from: number; signal: AbortSignal },
): Promise<{ body: ReadableStream<Uint8Array>; from: number }> {
  const { hub, name, revision } = model;
  const headers = from > 0 ? { range: `bytes=${from}-` } : undefined;
  const response = await fetch(`${hub}/${name}/resolve/${revision}/${path}`, {
    signal,
    ...(headers === undefined ? {} : { headers }),
  });
  if (response.ok && response.body !== null)
    return { body: response.body, from: response.status === 206 ? from : 0 };
  await response.body?.cancel();
  throw refusalOf(model, response);
}

/** A ParleyError for what stays refused; a plain Error for what may pass. */
function refusalOf({ hub, name, revision }: HubModel, { status }: Response): Error {
  if (status === 401 || status === 403 || status === 404)
    return new ParleyError(
      'model_download',
      `${hub} has no model "${name}" at ${revision} for everyone (${status}).`,
      {
        hint: 'Look at `memory.embedding.model` and `memory.embedding.revision`, or put the files into a folder and name it with `memory.embedding.folder`.',
      },
    );
  return new Error(`${hub} answered ${status}`);
}
