// The thread of the model calls: it asks providers and parses what they stream, so that a heartbeat never waits for tokens.
import { parentPort } from 'node:worker_threads';
import { systemClock } from '#base/clock.ts';
import type { ParleyError } from '#base/errors.ts';
import { useInheritedProxy } from '#base/network/proxy.ts';
import { ProviderFailure } from '#engine/providers/calls/provider-failure.ts';
import { createSdk } from '#engine/providers/sdk/ask.ts';
import { classifyError } from '#engine/providers/sdk/classify-error.ts';
import type { Batch, Failed, ModelWorkerRequest } from './calls.ts';
import { createEventBatcher } from './event-batcher.ts';

const port = parentPort;
if (port === null) throw new Error('Expected to run in a thread.');
useInheritedProxy();

const sdk = createSdk(systemClock);
const gather = createEventBatcher({
  post: (batch) => port.postMessage(batch satisfies Batch),
  now: () => performance.now(),
});
const running = new Map<number, AbortController>();

async function answer({ id, target, asked }: Extract<ModelWorkerRequest, { kind: 'ask' }>): Promise<void> {
  const left = new AbortController();
  running.set(id, left);
  gather.began();
  try {
    for await (const event of sdk.ask(target, asked, left.signal)) gather.notify(id, event);
  } catch (error) {
    if (!left.signal.aborted) gather.notify(id, { type: 'failed', failed: failedOf(classifyError(error)) });
  } finally {
    running.delete(id);
    gather.ended();
  }
}

function failedOf(error: ParleyError | ProviderFailure): Failed {
  if (error instanceof ProviderFailure) return { kind: 'judged', judged: error.judged };
  const { code, message, hint, details } = error;
  return { kind: 'words', code, message, hint, details };
}

port.on('message', (order: ModelWorkerRequest) => {
  if (order.kind === 'leave') running.get(order.id)?.abort();
  else void answer(order);
});
