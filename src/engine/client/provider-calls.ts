// The providers in the typed client: which models there are, what they take, and speech as text.
import type { ProviderList } from '#engine/wire/runs/provider.ts';
import type { Transcription, TranscriptionRequest } from '#engine/wire/runs/transcription.ts';
import type { Verbs, Within } from './request.ts';

/** `providers` of the client. */
export function providerCalls({ get, post }: Pick<Verbs, 'get' | 'post'>) {
  return {
    list: () => get<ProviderList>('/provider'),
    /** Whether the model is shown files of this type and size. */
    takesFile: async (file: { mime: string; bytes: number }, within: Within = {}) =>
      (await get<{ takes: boolean }>('/provider/takes_file', file, within)).takes,
    /** The words spoken in an upload, or why there is none; waits for the model. */
    transcribe: (request: TranscriptionRequest, within: Within = {}) =>
      post<Transcription>('/transcribe', request, { timedOut: true, ...within }),
  };
}
