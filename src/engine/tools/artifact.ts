// The tool with which a model writes a file that the person receives.
import { z } from 'zod';
import type { Artifacts } from '#engine/artifacts/artifacts.ts';
import { defineTool } from './definition/registry.ts';

/** `artifact` over the files of runs, each of at most `fileBytes`. */
export function createArtifactTool(artifacts: Pick<Artifacts, 'write'>, fileBytes: number) {
  return defineTool({
    name: 'artifact',
    description:
      'Writes a file that the person receives with your answer: a table, a document, code. Do not repeat its content in the answer.',
    input: z.strictObject({
      name: z.string().trim().min(1).max(200).describe('A file name with its ending, like report.csv'),
      media_type: z
        .string()
        .regex(/^[\w.+-]+\/[\w.+-]+$/, 'expected a media type such as text/csv')
        .max(100)
        .default('text/plain'),
      content: z.string().min(1),
      encoding: z.enum(['utf8', 'base64']).default('utf8'),
    }),
    // a file is no words of the answer; in JSON it may be up to twice as long, with what must be escaped
    argumentChars: 2 * fileBytes,
    async run({ name, media_type: mediaType, content, encoding }, { asking }) {
      const bytes = Buffer.from(content, encoding);
      const file = await artifacts.write(asking, { name, mediaType, bytes, kind: 'file' });
      return { result: { id: file.id, name: file.name, size: file.size }, files: [file] };
    },
  });
}
