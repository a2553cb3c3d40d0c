// Which files each provider's models are shown, by type and size.
import type { ProviderName } from '#engine/providers/calls/settings.ts';

interface Taken {
  mime: RegExp;
  /** Most bytes of one file, before base64. */
  bytes: number;
}

const mib = 1024 * 1024;
const image = /^image\/(png|jpeg|gif|webp)$/;
const pdf = /^application\/pdf$/;

/**
 * What the providers' documents say of files inside a request. Anthropic counts 5 MB of base64 for an image and 32 MB for a
 * request, Google 20 MB for a request. A server that imitates OpenAI is only trusted with images.
 */
const taken: Record<ProviderName, readonly Taken[]> = {
  offline: [],
  openai: [
    { mime: image, bytes: 14 * mib },
    { mime: pdf, bytes: 14 * mib },
  ],
  anthropic: [
    { mime: image, bytes: 3.75 * mib },
    { mime: pdf, bytes: 14 * mib },
  ],
  google: [
    { mime: /^image\/(png|jpeg|gif|webp|heic|heif)$/, bytes: 14 * mib },
    { mime: pdf, bytes: 14 * mib },
    { mime: /^audio\/(wav|mpeg|mp3|aac|ogg|flac|aiff|mp4|x-m4a)$/, bytes: 14 * mib },
    { mime: /^video\/(mp4|mpeg|quicktime|webm|3gpp)$/, bytes: 14 * mib },
  ],
  'openai-compatible': [{ mime: image, bytes: 14 * mib }],
};

/** Whether models of this provider are shown such a file. */
export function takesFile(provider: ProviderName, file: { mime: string; bytes: number }): boolean {
  return taken[provider].some(({ mime, bytes }) => mime.test(file.mime) && file.bytes <= bytes);
}
