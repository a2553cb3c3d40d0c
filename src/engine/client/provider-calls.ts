// The providers in the typed client: which models there are, what they take, and speech as text.
import type { LearnedModel, ProviderList } from '#engine/wire/runs/provider.ts';
import type { Transcription, TranscriptionRequest } from '#engine/wire/runs/transcription.ts';
import type { Verbs, Within } from './request.ts';

/** `providers` of the client. */
export function providerCalls({ get, post, json }: Verbs) {
  return {
    /** Of an agent with its own models: those. */
    list: (of: { agent?: string | undefined } = {}) => get<ProviderList>('/provider', of),
    /** What models taught by refusing requests. */
    learned: async () => (await get<{ models: LearnedModel[] }>('/provider/learned')).models,
    /** Forgets it, of one model or of all. */
    forgetLearned: async (model?: string) =>
      (await json<{ forgotten: number }>('/provider/learned', { method: 'DELETE', query: { model } }))
        .forgotten,
    /** Whether the model is shown files of this type and size. */
    takesFile: async (file: { mime: string; bytes: number }, within: Within = {}) =>
      (await get<{ takes: boolean }>('/provider/takes_file', file, within)).takes,
    /** The words spoken in an upload, or why there is none; waits for the model. */
    transcribe: (request: TranscriptionRequest, within: Within = {}) =>
      post<Transcription>('/transcribe', request, { timedOut: true, ...within }),
  };
}
