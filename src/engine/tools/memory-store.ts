// The tool with which a model notes something for later. Where the note belongs comes from the run; the model chooses its words.
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Memory } from '#memory/types/contract.ts';
import { noteKinds } from '#memory/types/note.ts';
import { defineTool } from './definition/registry.ts';
import { reachFields, tierToWrite } from './memory-reach.ts';

/** `memory_store` into the given memory: for the direct message or the room where the run was asked, never further. */
export function createMemoryStoreTool(memory: Pick<Memory, 'put'>, clock: Clock) {
  return defineTool({
    name: 'memory_store',
    idempotent: true,
    description:
      'Stores a short note that can be found in later conversations with the same people. Use it when someone asks you to ' +
      'remember something, or for a result that took work. What people say is remembered without it.',
    input: z.strictObject({
      content: z
        .string()
        .trim()
        .min(1)
        .max(8_000)
        .describe('The note, understandable on its own: who, what, when'),
      ...reachFields,
      tier: reachFields.tier.describe(
        'session: of use only in this conversation; project: in those of its project, which it is for where there is one; global: in all',
      ),
      source: z.string().trim().min(1).max(200).default('agent_note').describe('What it comes from'),
      metadata: z
        .record(z.string().max(200), z.unknown())
        .optional()
        .describe('Facts about it, for programs'),
      supersedes: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe('The id of a note or fact that no longer holds, and that this one takes the place of'),
      kind: z.enum(noteKinds).default('note').describe('solution_capsule: a problem and how it was solved'),
    }),
    async run({ content, kind, supersedes, source, metadata, ...reach }, context) {
      const { asking, place } = context;
      const { person, ...where } = place;
      const tier = tierToWrite(context, reach);
      const saved = await memory.put({
        ...where,
        kind,
        tier,
        metadata: { ...metadata, source },
        supersedes,
        text: content,
        at: clock.now(),
        speaker: { person, name: asking.agent },
        sessionID: asking.sessionID,
        runID: asking.runID,
        messageIDs: [asking.messageID],
      });
      switch (saved.status) {
        case 'stored':
          return {
            result: {
              stored: true,
              tier,
              id: saved.id,
              ids: saved.chunkIDs,
              ...(saved.redacted.length === 0 ? {} : { masked: saved.redacted }),
            },
          };
        case 'duplicate':
          return {
            result: { stored: false, why: 'It is remembered already.', id: saved.id, ids: saved.chunkIDs },
          };
        case 'forgotten':
          return { result: { stored: false, why: 'It was deleted here before, and stays so.' } };
        case 'retracted':
          return { result: { stored: false, why: 'It was withdrawn here before as no longer true.' } };
        case 'nothing to store':
          return { result: { stored: false, why: 'There was nothing new in it.' } };
      }
    },
  });
}
