// A file of a shown message over HTTP: pictures and sound to be shown, anything else to be saved. Never something that runs in the page.
import { ParleyError } from '#base/errors.ts';
import type { SandboxServer } from './contract.ts';
import { chats } from './control-state.ts';

/** What the page shows or plays (`picture` and `sound` in its draw.js). */
const shownTypes = /^(?:image\/(?:png|jpeg|gif|webp)|audio\/(?:ogg|webm|mpeg|mp4|wav|aac|flac))$/;

/** The answer with the bytes; throws `not_found` when no shown message has this file. */
export function shownFile(
  server: SandboxServer,
  { message, index }: { message: string; index: string },
): Response {
  for (const { chat, user } of chats) {
    const file = server.shown(chat, user).find(({ id }) => id === message)?.files?.[Number(index)];
    if (file === undefined) continue;
    const shown = shownTypes.test(file.mime);
    return new Response(new Uint8Array(file.bytes), {
      headers: {
        'content-type': shown ? file.mime : 'application/octet-stream',
        'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-cache',
      },
    });
  }
  throw new ParleyError('not_found', `There is no file ${index} in a message ${message}.`);
}
