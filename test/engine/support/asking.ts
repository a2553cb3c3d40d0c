// A run whose model calls a tool that needs approval, and its end. Not tests.
import type { Service } from '../http/service-kit.ts';

export const todos = [{ id: '1', content: 'water the plants', status: 'pending' }];
/** The policy under which `todo_write` needs approval. */
export const asking = { tools: { todo_write: 'ask' } } as const;

/** A run whose model calls the tool; gives its id and the request that waits. */
export async function asked(service: Service, id: string) {
  const { runID, call } = await service.prompt(id, 'plan');
  call.callTool('todo_write', { todos });
  return { runID, request: await requestOf(service, runID) };
}

/** The request of the run that waits, once the run has asked. */
export async function requestOf(service: Service, runID: string, afterSeq = 0) {
  const events = service.kit.engine.events({ runID, afterSeq }, AbortSignal.timeout(20_000));
  for await (const event of events) if (event.type === 'permission.asked') break;
  const [request] = (await service.ask('GET', '/permission')).body;
  return request;
}

/** The model answers with words, and the run ends; `told` is what the model was given. */
export async function finish(service: Service, runID: string) {
  const call = await service.raw.next();
  call.say('Done.');
  call.finish();
  return { run: await service.kit.engine.finished(runID), told: JSON.stringify(call.body.messages) };
}
