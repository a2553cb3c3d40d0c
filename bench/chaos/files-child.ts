// One process that works on memory files until it is killed: what it does is its argument. It says when it has begun.
import { systemClock } from '#base/clock.ts';
import { createIds } from '#base/ids.ts';
import { createMemory } from '#memory/memory.ts';
import { ageIndex } from '../harness/age-index.ts';
import { type FileWork, filesAudience, filesScope, markOf, statementOf } from './files-marks.ts';

const [folder = '', work = 'index', from = '0'] = process.argv.slice(2);
const dayMs = 24 * 60 * 60 * 1000;
const memory = createMemory({
  ...{ path: `${folder}/memory.sqlite`, clock: systemClock, newId: createIds(systemClock), ahead: true },
  ...{ files: { root: `${folder}/memory` }, dreaming: { isOn: true } },
});
const by = { person: 'per_1', sessionID: 'ses_1', runID: `run_note_${from}` };

async function recalled(number: number): Promise<void> {
  const text = statementOf(number);
  const done = await memory.archive({
    ...{
      key: `run_${number}`,
      runID: `run_${number}`,
      userText: text,
      assistantText: '',
      recalled: [],
      at: Date.now() - 6 * dayMs,
    },
    ...{ speaker: { person: 'per_1', name: 'Ann' }, where: { audience: filesAudience, restricted: true } },
    ...{ platform: 'telegram', chat: 'telegram:dm:1', sessionID: `ses_${number}`, messageIDs: [] },
  });
  const passages = 'chunkIDs' in done ? done.chunkIDs.map((id) => ({ id, score: 0.9 })) : [];
  for (const [days, question] of [
    [5, 'What is where?'],
    [3, 'Who has something?'],
    [1, 'What is where?'],
  ] as const)
    await memory.recordUse({
      ...{ runID: `run_q_${number}_${days}`, sessionID: 'ses_q', person: 'per_1', audience: filesAudience },
      ...{ at: Date.now() - days * dayMs, question, answer: text, passages, injected: [], inView: [] },
    });
}

const works: Record<FileWork, (at: number) => Promise<void>> = {
  index: async () => void (await memory.indexFiles()),
  rebuild: async () => {
    ageIndex(`${folder}/memory.sqlite`);
    await memory.indexFiles({ force: true });
  },
  edit: async (at) => {
    await memory.noteFile({ audience: filesAudience, text: `The tool noted ${markOf(at)} today.`, by });
    await memory.editFile({
      audience: filesAudience,
      replace: '',
      text: `- The tool edited ${markOf(at)} today.`,
      by,
    });
  },
  promote: async (at) => {
    await recalled(at);
    await memory.promoteRecalled({ mode: 'apply' });
  },
  forget: async (at) => {
    await memory.forget({ scope: filesScope, selection: { words: `chest ${markOf(at)}` }, mode: 'forget' });
  },
};

process.stdout.write('begun\n');
for (let at = Number(from); ; at += 1) await works[work as FileWork](at);
