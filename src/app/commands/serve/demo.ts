// `parley demo`: the fixed story on the sandbox, with a real kill in the middle, as a transcript; any miss makes it fail.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { startSandbox } from '#app/compose/sandbox.ts';
import { configFileName } from '#app/config/load.ts';
import { configSchema } from '#app/config/schema.ts';
import { type Child, startChild } from '#app/demo/child.ts';
import { editByHand } from '#app/demo/edit-by-hand.ts';
import { playRooms } from '#app/demo/play-rooms.ts';
import { isIdle, lastAnswerOf } from '#app/demo/record.ts';
import { createStage, type Stage } from '#app/demo/stage.ts';
import { type Scene, story } from '#app/demo/story.ts';
import { transcript } from '#app/demo/transcript.ts';
import { headingsInOrder, missingWord } from '#app/demo/words.ts';
import { systemClock } from '#base/clock.ts';
import type { ShownMessage } from '#sandbox/contract.ts';

const withinMs = 30_000;

/** Plays the story; resolves with 0 when all of it came true, else 1. The last line printed is the JSON summary. */
export async function demo({ print }: CommandInput): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-demo-'));
  const sandbox = await startSandbox(systemClock);
  const token = 'demo-token-for-this-run-only';
  const environment = { ...sandbox.environment, PARLEY_TOKEN: token };
  const config = {
    ...configSchema.parse({
      engine: { port: 0 },
      agents: { team: { enabled: true, requireJustification: false } },
    }),
    home: join(folder, 'home'),
  };
  await writeFile(join(folder, configFileName), JSON.stringify(sandbox.configure(config)));
  const start = (): Promise<Child> => startChild(folder, environment, ['discord', 'telegram', 'slack']);

  const misses: string[] = [];
  const summary = { ok: true, exchanges: 0, parts: 0, recalled: false, restarts: 0 };
  let child: Child | undefined;
  try {
    child = await start();
    const idle = async (): Promise<boolean> => child !== undefined && isIdle(child.url, token);
    const stage = createStage(sandbox, idle);
    let recalls = 0;
    for (const scene of story) {
      if (scene.killed)
        sandbox[scene.platform].inject({ kind: 'slow', target: 'send', times: 4, delayMs: 400 });
      if (scene.edited !== undefined) editByHand(config.home, scene.edited);
      const mark = scene.comes ? stage.mark(scene) : await stage.say(scene);
      if (scene.killed || scene.comes) {
        if (scene.killed) await untilFirstPart(stage, scene, mark);
        await child.kill();
        child = await start();
        summary.restarts += 1;
      }
      const { url } = child;
      const whole = async (): Promise<string | undefined> =>
        scene.killed ? lastAnswerOf(url, token, scene.text) : undefined;
      await stage.settled(
        scene,
        async () => missIn(scene, stage.answers(scene, mark), await whole()) === undefined,
        withinMs,
      );
      const answers = stage.answers(scene, mark);
      const miss = missIn(scene, answers, await whole());
      if (miss !== undefined) misses.push(miss);
      else summary.exchanges += 1;
      if (miss === undefined && scene.recall) recalls += 1;
      summary.parts += answers.length;
      for (const text of transcript(scene, answers)) print(text);
    }
    const rooms = await playRooms({ sandbox, idle, print });
    misses.push(...rooms.misses);
    summary.exchanges += rooms.exchanges;
    summary.parts += rooms.parts;
    summary.recalled = recalls === story.filter(({ recall }) => recall).length;
    if ((await child.stop()) !== 0)
      misses.push('the program did not end with code 0 when it was asked to stop');
  } finally {
    await child?.kill();
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
  print('');
  for (const miss of misses) print(`MISSING: ${miss}`);
  summary.ok = misses.length === 0 && summary.recalled;
  print(JSON.stringify(summary));
  return summary.ok ? 0 : 1;
}

async function untilFirstPart(stage: Stage, scene: Scene, mark: { before: number }): Promise<void> {
  const until = Date.now() + withinMs;
  while (stage.answers(scene, mark).length === 0 && Date.now() < until) await systemClock.sleep(10);
}

/** What an answer lacks, as text, or undefined. */
function missIn(
  scene: Scene,
  answers: readonly ShownMessage[],
  whole: string | undefined,
): string | undefined {
  const where = `${scene.platform} ${scene.chat}, "${scene.text}"`;
  const shown = answers.map(({ text }) => text).join('\n');
  if (answers.length === 0) return `${where}: no answer came`;
  if (answers.length < (scene.minParts ?? 1))
    return `${where}: ${answers.length} parts, expected ${scene.minParts}`;
  if (scene.minParts === undefined && answers.length > 1)
    return `${where}: ${answers.length} messages, expected one`;
  if (new Set(answers.map(({ text }) => text)).size !== answers.length)
    return `${where}: a part stands twice`;
  if (scene.expects?.test(shown) === false) return `${where}: the answer lacks ${scene.expects}`;
  if (scene.forbids?.test(shown) === true)
    return `${where}: the answer shows ${scene.forbids}, which was said in private elsewhere`;
  if (!scene.killed) return undefined;
  if (whole === undefined) return `${where}: the engine has no answer on record`;
  const missing = missingWord(whole, shown);
  if (missing !== undefined) return `${where}: the answer has lost "${missing}"`;
  return headingsInOrder(whole, shown) ? undefined : `${where}: the parts are out of order`;
}
