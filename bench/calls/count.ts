// One answer in one chat over the real client library and the simulated server, on a clock that is moved by hand; counts the platform's calls.
import type { SandboxServer } from '#sandbox/contract.ts';
import { type Platform, stage } from '../../test/adapters/gateway/live-stage.ts';
import { answerOf, piecesOf } from './answer.ts';

export interface Case {
  platform: 'discord' | 'slack' | 'telegram';
  chat: 'dm' | 'room';
  /** How long the answer is, in characters. */
  length: number;
  /** How long the model takes, in milliseconds. */
  takesMs: number;
  streamed: boolean;
}

export interface Counted extends Case {
  calls: number;
  /** How often each method or route was called. */
  by: Record<string, number>;
  /** What is wrong with the answer or with a call. */
  faults: string[];
}

/** A call takes about as much of the clock's time as it takes real milliseconds, times this: as if the platform were that far away. */
const stepMs = 25;
const pieceMs = 250;
/** Time after the answer in which nothing may be called any more. */
const afterMs = 40_000;
/** Not about an answer: connections, and the wait for messages. */
const standing = /getUpdates|apps\.connections\.open|gateway/i;

/** Opens the chat, lets one exchange go by, and counts the calls of the next. */
export async function count(one: Case, open: Platform<SandboxServer>['open']): Promise<Counted> {
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.push(end) };
  try {
    const { sandbox, engine, clock, ask, until, answers } = await stage(t, { chat: one.chat, open });
    const pass = async (ms: number): Promise<void> => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        await clock.advance(stepMs);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    };
    engine.complete(await ask('hello'), 'Hello.');
    await until('the first answer', () => engine.deliveries.length === 1);
    await pass(10_000);
    const [calls, shown] = [sandbox.calls().length, answers().length];
    const text = answerOf(one.length);
    const run = await ask('tell me');
    const pieces = piecesOf(text, Math.round(one.takesMs / pieceMs));
    for (const piece of pieces) {
      await pass(pieceMs);
      if (one.streamed) engine.say(run, piece);
    }
    engine.complete(run, text);
    await until('the answer', () => engine.deliveries.length === 2);
    await pass(afterMs);
    const made = sandbox
      .calls()
      .slice(calls)
      .filter(({ name }) => !standing.test(name));
    const by = Object.groupBy(made, ({ name }) => name);
    const exists = answers()
      .slice(shown)
      .map((message) => message.text.trim());
    return {
      ...one,
      calls: made.length,
      by: Object.fromEntries(Object.entries(by).map(([name, list]) => [name, list?.length ?? 0])),
      faults: [
        ...made.flatMap(({ name, status }) => (status >= 400 ? [`${name} was refused with ${status}`] : [])),
        ...(exists.at(-1)?.endsWith('end.') ? [] : ['the answer is not whole']),
      ],
    };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
