// The answer of a run as a voice message, where the chat wants it.
import { codeOf, errorMessage } from '#base/errors.ts';
import { truncate } from '#base/text.ts';
import type { Artifacts } from '#engine/artifacts/artifacts.ts';
import { type MediaCalls, maxSpoken } from '#engine/artifacts/media-calls.ts';
import type { Artifact } from '#engine/wire/runs/artifact.ts';
import type { StoredRun } from './tables/run-row.ts';

/** Speaks an answer; undefined where the run wants none, or nothing can speak. What fails is a sentence for the person. */
export type SpeakAnswer = (
  run: StoredRun,
  text: string,
  signal: AbortSignal,
) => Promise<Artifact | { sentence: string } | undefined>;

/** Over the speech model of the settings, as they are now. */
export function createSpeakAnswer({
  media,
  artifacts,
}: {
  media: () => MediaCalls;
  artifacts: Pick<Artifacts, 'write'>;
}): SpeakAnswer {
  return async (run, text, signal) => {
    const { speak } = media();
    const words = truncate(spokenWords(text), maxSpoken);
    if (run.settings?.spoken !== true || speak === undefined || words === '') return undefined;
    try {
      const { bytes, mediaType } = await speak(words, signal);
      const file = { name: 'answer.ogg', mediaType, bytes, kind: 'file', voice: true } as const;
      return await artifacts.write(run, file);
    } catch (error) {
      signal.throwIfAborted();
      if (codeOf(error) === undefined) throw error;
      return { sentence: errorMessage(error) };
    }
  };
}

/** The words of an answer without its markup; code is not read aloud. */
export function spokenWords(markdown: string): string {
  return markdown
    .replace(/```[\s\S]*?(```|$)/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s{0,3}(#{1,6}|>|[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_~`|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
