// A run with tools and a question, its replay over HTTP and on the command line, and edits of its files. Not tests.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '#app/main.ts';
import type { Service } from '../http/service-kit.ts';

/** The folder with the files of the run. */
export const folderOf = (service: Service, runID: string): string =>
  join(service.kit.folder, 'context_runs', runID);

/** What a replay says, over HTTP and on the command line. */
export async function replayed(service: Service, runID: string) {
  const { status, body } = await service.ask('GET', `/context/runs/${runID}/replay`);
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const variables = { PARLEY_HOME: service.kit.folder };
  const code = await main(['runs', 'replay', runID, '--json'], variables, { out: say, err: () => {} });
  return { status, body, code, said: status === 200 ? JSON.parse(said.join('')) : undefined };
}

/** A run that has called a tool, asked a question and had its answer. */
export async function aRunWithCalls(service: Service): Promise<string> {
  const id = await service.session();
  const { runID, call } = await service.prompt(id, 'plan');
  call.callTool('todo_write', { todos: [{ id: '1', content: 'water the plants', status: 'pending' }] });
  const asking = await service.raw.next();
  const asked = service.kit.engine.events({ runID, afterSeq: 0 }, AbortSignal.timeout(20_000));
  asking.callTool('question', { questions: [{ question: 'Which plants?', options: ['all'] }] });
  for await (const event of asked) if (event.type === 'question.asked') break;
  const [question] = await service.kit.engine.questions();
  await service.kit.engine.replyQuestion({ requestID: question?.id ?? '', answer: ['all'] });
  const last = await service.raw.next();
  last.say('All planned.');
  last.finish();
  await service.kit.engine.finished(runID);
  await service.restart();
  return runID;
}

/** Of a file of the run: something in it is something else. */
export const edit =
  (name: string, from: string | RegExp, to: string) =>
  (folder: string): void => {
    const text = readFileSync(join(folder, name), 'utf8');
    const edited = text.replace(from, to);
    assert.notEqual(edited, text, `${name} has ${from}`);
    writeFileSync(join(folder, name), edited);
  };
/** Its last checkpoint, inside the folder. */
export const checkpointOf = (folder: string): string => {
  const { last_event_seq: seq } = JSON.parse(readFileSync(join(folder, 'run_state.json'), 'utf8'));
  return join('checkpoints', `${String(seq).padStart(20, '0')}.json`);
};
