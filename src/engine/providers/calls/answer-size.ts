// How much of a provider's answer is read where it has to be held whole. Not of answers that come as a stream.
import { cutBody } from '#base/body-limit.ts';
import { ParleyError } from '#base/errors.ts';

/** Bytes of a refusal that are read: its words and code stand well within them. */
export const maxErrorBytes = 64 * 1024;

/** The code of an answer that is larger than it may be. */
export const answerTooLarge = 'answer_too_large';

/** A fetch that holds answers of at most `maxBytes`; a larger one rejects with a ParleyError `answer_too_large`, a refusal is cut. */
export function fetchWithin(maxBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, init);
    if (!response.ok) return cutBody(response, maxErrorBytes);
    const { status, statusText, headers } = response;
    const bytes = await cutBody(response, maxBytes + 1).arrayBuffer();
    if (bytes.byteLength > maxBytes)
      throw new ParleyError(
        answerTooLarge,
        `The model provider sent an answer of more than ${maxBytes / 2 ** 20} MiB.`,
      );
    return new Response(bytes, { status, statusText, headers });
  };
}
