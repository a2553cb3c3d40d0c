// The tools with which a model stores a memory of a kind, and corrects one. Where it belongs comes from the run.

import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { ParleyError } from '#base/errors.ts';
import { readerMemoryInputs } from '#engine/wire/memory/reader-memory.ts';
import type { Memory } from '#memory/types/contract.ts';
import { correct, correctedBy, correctionOf } from '#memory/types/next-version.ts';
import { handWrittenKinds, type NoteResult, type Standing } from '#memory/types/note.ts';
import type { GovernedRecord } from '#memory/types/record.ts';
import type { Scope } from '#memory/types/scope.ts';
import type { AskWhichHolds, Stated } from './ask-which-holds.ts';
import { defineTool, type ToolContext } from './definition/registry.ts';
import { journalCaller } from './journal.ts';
import { narrowed, ownScope, reachFields, sameAs, tierToWrite } from './memory-reach.ts';

const content = z.string().trim().min(1).max(8_000);
const { key, tags, pinned, sensitivity, confidence, source } = readerMemoryInputs.memoryCreate.shape;
const details = { key, tags, pinned, sensitivity, confidence, source };

/** `memory_create` and `memory_update` into the given memory: for the direct message or the room where the run was asked, never further. */
export function createMemoryWriteTools(
  memory: Pick<Memory, 'put' | 'records'>,
  clock: Clock,
  askWhichHolds: AskWhichHolds,
) {
  /** What contradicts a surer memory is asked about where the chat's journal is read, whether or not the model asks. */
  const asked = async (context: ToolContext, ...[saved, stated]: [NoteResult, Stated]) => {
    const { agent: agentID } = context.asking;
    const { projectID } = context.place;
    const { question } = await askWhichHolds(journalCaller(context), saved, {
      ...stated,
      agentID,
      projectID,
    });
    return question === undefined ? {} : { question };
  };
  const create = defineTool({
    ...sameAs('memoryCreate'),
    description:
      'Stores a memory of a kind: a fact (with a key, so that a later value supersedes it), a preference (every later prompt ' +
      'here gets it), a procedure (how something is done; report how it went with memory_report), a note, a solution. What ' +
      'people say is remembered without it.',
    input: z.strictObject({
      content: content.describe('Understandable on its own: who, what, when. Of a fact, its value'),
      kind: z.enum(handWrittenKinds).default('note'),
      ...details,
      ...reachFields,
    }),
    async run(
      { content: text, kind, key, tags, pinned, sensitivity, confidence, source, ...reach },
      context,
    ) {
      const tier = tierToWrite(context, reach);
      const { person, ...where } = context.place;
      const saved = await memory.put({
        ...where,
        ...{ kind, text, key, tags, pinned, sensitivity, confidence, tier },
        ...writtenBy(context, person, clock),
        metadata: { source: source ?? 'agent_note' },
      });
      const question = await asked(context, saved, { text, confidence, key });
      return { result: { ...resultOf(saved), ...question, tier } };
    },
  });

  const update = defineTool({
    ...sameAs('memoryUpdate'),
    description:
      'Corrects a note, fact, preference, procedure or solution: what holds now is its new version, and the earlier one stays ' +
      'readable. It takes the id that memory_search, memory_lookup or memory_create gave.',
    input: z
      .strictObject({
        id: z.string().min(1).max(100),
        content: content.optional(),
        expected_version: z
          .int()
          .min(1)
          .optional()
          .describe('The version that you read: another one is refused'),
        ...details,
      })
      .refine(
        ({ id: _, expected_version: __, ...changes }) =>
          Object.values(changes).some((value) => value !== undefined),
        {
          path: ['content'],
          message: 'expected at least one of content, key, tags, pinned, sensitivity, confidence, source',
        },
      ),
    async run({ id, content: text, expected_version: expectedVersion, ...changes }, context) {
      const { person, platform, chat } = { ...context.place };
      const scope = { ...narrowed(context, {}), ...ownScope(context) };
      const result = await correct(
        () => newestOf(memory, id, scope),
        async (current) => {
          const next = correctionOf(current, { text, ...changes });
          const saved = await memory.put({
            ...next,
            ...{ platform, chat },
            ...writtenBy(context, person, clock),
            sessionID: next.sessionID,
          });
          const { key = current.key, confidence } = changes;
          const question = await asked(context, saved, { text: text ?? current.text, confidence, key });
          return { ...resultOf(saved), ...question, ...correctedBy(saved, current, { id }) };
        },
        expectedVersion,
      );
      return { result };
    },
  });
  return [create, update];
}

/** The version that holds now of a record of this scope; a ParleyError `memory_not_found`. */
async function newestOf(memory: Pick<Memory, 'records'>, id: string, scope: Scope): Promise<GovernedRecord> {
  const newest = (await memory.records({ scope, ids: [id] })).at(-1);
  if (newest !== undefined) return newest;
  throw new ParleyError(
    'memory_not_found',
    `id: expected the id of a note, fact, preference, procedure or solution of this chat, received "${id}". Nothing was written.`,
  );
}

function writtenBy({ asking }: ToolContext, person: string, clock: Clock) {
  return {
    at: clock.now(),
    speaker: { person, name: asking.agent },
    sessionID: asking.sessionID,
    runID: asking.runID,
    messageIDs: [asking.messageID],
  };
}

const reasons = {
  duplicate: 'It is remembered already.',
  forgotten: 'It was deleted here before, and stays so.',
  retracted: 'It was withdrawn here before as no longer true.',
  'nothing to store': 'There was nothing new in it.',
};

function resultOf(saved: NoteResult) {
  if (!('id' in saved)) return { stored: false, why: reasons[saved.status] };
  const { id, redacted, contradicts, settled } = saved;
  return {
    ...(saved.status === 'stored' ? { stored: true } : { stored: false, why: reasons.duplicate }),
    id,
    ...(redacted.length > 0 && { masked: redacted }),
    ...(settled !== undefined && { also_supersedes: settled.map(dated) }),
    ...(contradicts !== undefined && {
      contradicts: dated(contradicts),
      ask: 'Both stand. Ask the person which of the two holds, with `question` where you have it, then call settle_journal_entry with the id in `question` and `holds`, or correct the other with memory_update.',
    }),
  };
}

function dated(standing: Standing) {
  return { ...standing, at: new Date(standing.at).toISOString() };
}
