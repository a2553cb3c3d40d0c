// `parley demo`: the fixed story on the sandbox, with a real kill in the middle, as a transcript; any miss makes it fail.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { type Sandbox, startSandbox } from '#app/compose/sandbox.ts';
import { configFileName } from '#app/config/load.ts';
import { configSchema } from '#app/config/schema.ts';
import { blindModel, startBlindModel } from '#app/demo/blind-model.ts';
import { type Child, startChild } from '#app/demo/child.ts';
import { editByHand } from '#app/demo/edit-by-hand.ts';
import { playRooms } from '#app/demo/play-rooms.ts';
import { isIdle, lastAnswerOf } from '#app/demo/record.ts';
import { createStage, type Stage } from '#app/demo/stage.ts';
import { acts, type Scene, story } from '#app/demo/story.ts';
import { createAsAbove, transcript } from '#app/demo/transcript.ts';
import { headingsInOrder, missingWord } from '#app/demo/words.ts';
import { systemClock } from '#base/clock.ts';
import type { ShownMessage } from '#sandbox/contract.ts';

const withinMs = 30_000;

/** The program as it runs now; `again` kills it and starts it again. */
interface Running {
  child: Child;
  again(): Promise<void>;
}

/** What came true. */
interface Summary {
  ok: boolean;
  exchanges: number;
  parts: number;
  recalled: boolean;
  restarts: number;
}

/**
 * Plays the story; resolves with 0 when all of it came true, else 1. For a program that reads it, the last line is the summary as JSON, and
 * the only one where JSON was asked for.
 */
export async function demo({ print, json }: CommandInput): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-demo-'));
  const sandbox = await startSandbox(systemClock);
  const token = 'demo-token-for-this-run-only';
  const environment = { ...sandbox.environment, PARLEY_TOKEN: token };
  const blind = await startBlindModel();
  const { name, person } = blindModel;
  const config = {
    ...configSchema.parse({
      engine: { port: 0 },
      agents: { team: { enabled: true, requireJustification: false } },
      // one person talks to a model that takes no pictures, everyone else to the built-in one
      people: { [person]: { role: 'member', accounts: [`discord:${sandbox.discord.userID('guest')}`] } },
      assistants: {
        words: {
          systemPrompt: 'You answer briefly.',
          model: { provider: 'openai-compatible', name, baseUrl: blind.baseUrl },
        },
      },
      bindings: [{ assistant: 'words', person }],
    }),
    home: join(folder, 'home'),
  };
  await writeFile(join(folder, configFileName), JSON.stringify(sandbox.configure(config)));
  const start = (): Promise<Child> => startChild(folder, environment, ['discord', 'telegram', 'slack']);
  const tell = json ? () => undefined : print;

  const misses: string[] = [];
  const summary: Summary = { ok: true, exchanges: 0, parts: 0, recalled: false, restarts: 0 };
  let running: Running | undefined;
  try {
    const program: Running = {
      child: await start(),
      async again() {
        await program.child.kill();
        program.child = await start();
        summary.restarts += 1;
      },
    };
    running = program;
    const idle = (): Promise<boolean> => isIdle(program.child.url, token);
    const asAbove = createAsAbove();
    const rooms = async (): Promise<void> => {
      const played = await playRooms({ sandbox, idle, print: tell, asAbove });
      misses.push(...played.misses);
      summary.exchanges += played.exchanges;
      summary.parts += played.parts;
    };
    const play = { sandbox, stage: createStage(sandbox, idle), program, home: config.home, token, rooms };
    let recalls = 0;
    for (const act of acts())
      for (const { scene, answers, miss } of await playAct(act, play)) {
        if (miss !== undefined) misses.push(miss);
        else summary.exchanges += 1;
        if (miss === undefined && scene.recall) recalls += 1;
        summary.parts += answers.length;
        for (const text of transcript(scene, asAbove(answers))) tell(text);
      }
    summary.recalled = recalls === story.filter(({ recall }) => recall).length;
    if (blind.refused() !== 1)
      misses.push(
        `a model that takes no pictures was sent ${blind.refused()} requests with one, expected one`,
      );
    if ((await program.child.stop()) !== 0)
      misses.push('the program did not end with code 0 when it was asked to stop');
  } finally {
    await running?.child.kill();
    await Promise.all([sandbox.close(), blind.close()]);
    await rm(folder, { recursive: true, force: true });
  }
  summary.ok = misses.length === 0 && summary.recalled;
  tell('');
  for (const miss of misses) tell(`MISSING: ${miss}`);
  if (json || process.stdout.isTTY !== true) print(JSON.stringify(summary));
  else print(inWords(summary));
  return summary.ok ? 0 : 1;
}

function inWords({ ok, exchanges, parts, restarts }: Summary): string {
  const played = `${exchanges} exchanges in ${parts} messages, and ${restarts} restarts after a kill`;
  return ok ? `All of it came true: ${played}.` : `Not all of it came true: ${played}.`;
}

interface Play {
  sandbox: Sandbox;
  stage: Stage;
  program: Running;
  home: string;
  token: string;
  /** Plays the story of the rooms. */
  rooms(): Promise<void>;
}

/** Plays scenes of different chats together; resolves once each is answered, or what it needs did not come in time. */
async function playAct(act: readonly Scene[], play: Play) {
  const { sandbox, stage, program, home, token, rooms } = play;
  const begun: { scene: Scene; mark: { before: number } }[] = [];
  for (const scene of act) {
    if (scene.killed)
      sandbox[scene.platform].inject({ kind: 'slow', target: 'send', times: 4, delayMs: 400 });
    if (scene.edited !== undefined) editByHand(home, scene.edited);
    begun.push({ scene, mark: scene.comes ? stage.mark(scene) : await stage.say(scene) });
  }
  for (const { scene, mark } of begun) {
    if (scene.killed) await untilFirstPart(stage, scene, mark);
    if (scene.killed || scene.comes) await program.again();
    if (scene.comes) await rooms();
  }
  return Promise.all(
    begun.map(async ({ scene, mark }) => {
      const whole = async (): Promise<string | undefined> =>
        scene.killed ? lastAnswerOf(program.child.url, token, scene.text) : undefined;
      const miss = async () => missIn(scene, stage.answers(scene, mark), await whole());
      await stage.settled(scene, async () => (await miss()) === undefined, withinMs);
      return { scene, answers: stage.answers(scene, mark), miss: await miss() };
    }),
  );
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
