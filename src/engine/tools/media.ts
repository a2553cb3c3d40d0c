// The tools with which a model speaks and draws; each exists while a model for it is configured.
import { z } from 'zod';
import type { Artifacts } from '#engine/artifacts/artifacts.ts';
import { type MediaCalls, maxSpoken } from '#engine/artifacts/media-calls.ts';
import { defineTool } from './definition/registry.ts';

interface MediaParts {
  artifacts: Pick<Artifacts, 'write'>;
}

const sizes = { square: '1024x1024', wide: '1536x1024', tall: '1024x1536' } as const;

/** `speak` and `image`, as far as there are models for them. */
export function createMediaTools({ speak, draw }: MediaCalls, parts: MediaParts) {
  return [
    ...(speak === undefined ? [] : [createSpeak(speak, parts)]),
    ...(draw === undefined ? [] : [createImage(draw, parts)]),
  ];
}

function createSpeak(speak: NonNullable<MediaCalls['speak']>, { artifacts }: MediaParts) {
  return defineTool({
    name: 'speak',
    description:
      'Sends the person a voice message with this text. Use it only when they ask to hear something. Do not repeat the text in the answer.',
    input: z.strictObject({
      text: z.string().trim().min(1).max(maxSpoken).describe('What is spoken, as plain text'),
    }),
    argumentChars: maxSpoken,
    async run({ text }, { asking, signal }) {
      const { bytes, mediaType } = await speak(text, signal);
      const file = await artifacts.write(asking, {
        name: 'voice.ogg',
        mediaType,
        bytes,
        kind: 'file',
        voice: true,
      });
      return { result: { id: file.id, size: file.size }, files: [file] };
    },
  });
}

function createImage(draw: NonNullable<MediaCalls['draw']>, { artifacts }: MediaParts) {
  return defineTool({
    name: 'image',
    description:
      'Draws a picture and sends it to the person, with the prompt as its caption. Use it when they ask for a picture.',
    input: z.strictObject({
      prompt: z
        .string()
        .trim()
        .min(1)
        .max(4_000)
        .describe('What is in the picture, in one to three sentences'),
      shape: z.enum(['square', 'wide', 'tall']).default('square'),
    }),
    async run({ prompt, shape }, { asking, signal }) {
      const { bytes, mediaType } = await draw({ prompt, size: sizes[shape] }, signal);
      const ending = mediaType.split('/')[1] ?? 'png';
      const drawn = { name: `picture.${ending}`, mediaType, bytes, kind: 'file', caption: prompt } as const;
      const file = await artifacts.write(asking, drawn);
      return { result: { id: file.id, name: file.name, size: file.size }, files: [file] };
    },
  });
}
