// Two hundred answers written at once: what that does to the event loop of Parley's process.
import type { Child } from './child.ts';
import { type Figures, round } from './figures.ts';
import type { Stage } from './stage.ts';
import { lastWords, type Pace } from './streaming-model.ts';
import { watchMemory } from './throughput.ts';
import { statement } from './words.ts';

const withinMs = 120_000;
const firstNumber = 900_000;

/** Asks in all chats at once and waits for every final answer. */
export async function measureStreaming(
  { stage, child, chats }: { stage: Stage; child: Child; chats: number },
  pace: Pace,
): Promise<{ streaming: Figures['streaming']; rssMB: number }> {
  // one exchange first, so that sessions and connections are there, as in a program that has been running
  const isFinal = ({ text }: { text: string }): boolean => text.includes(lastWords);
  await stage.ask(
    { platform: 'discord', person: 0 },
    { text: statement(firstNumber - 1), isFinal, withinMs },
  );
  const watch = watchMemory(child);
  const before = await child.probe('reset');
  const answers = await Promise.all(
    stage
      .chats(chats)
      .map((chat, at) => stage.ask(chat, { text: statement(firstNumber + at), isFinal, withinMs })),
  );
  const { loop, cpuMs, mainCpuMs } = await child.probe('read');
  return {
    streaming: {
      chats,
      answers: answers.length,
      deltasPerSecond: round((chats * 1000) / pace.everyMs),
      loopP50Ms: round(loop.p50),
      loopP99Ms: round(loop.p99),
      loopMaxMs: round(loop.max),
      cpuMs: round(cpuMs - before.cpuMs),
      mainCpuMs: round(mainCpuMs - before.mainCpuMs),
    },
    rssMB: await watch.largest(),
  };
}
