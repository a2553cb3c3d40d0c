// `npm run chaos -- --tools`: kills the program at random while it calls a tool that writes a line per call. Nobody's line is there
// twice unless its person said "try again", each question has one answer, and whatever was asked of people could be answered.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configFileName } from '#app/config/load.ts';
import { systemClock } from '#base/clock.ts';
import { type Script, startScripted } from '../../test/engine/teams/team-kit.ts';
import { lookAt } from '../harness/look.ts';
import { startProgram } from '../harness/program.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { directChats, openStage, type Stage } from '../harness/stage.ts';
import { faultsAfter } from './aftermath.ts';

export interface ToolsPlan {
  /** Calls of tools; each question of a chat needs two. */
  calls: number;
  kills: number;
  seed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
/** A question has its answer so late after the last kill, in milliseconds. */
const withinMs = 240_000;
const server = join(import.meta.dirname, '..', '..', 'test', 'engine', 'support', 'paying-server.ts');
const interrupted = /I was interrupted|I was stopped while/;

interface Book {
  /** Questions that were asked, by their token. */
  asked: string[];
  /** Calls whose person said that they be tried again. */
  again: string[];
  doubts: number;
  approvals: number;
}

/** Plays it; resolves with the exit code. The last line is JSON. */
export async function toolsChaos(plan: ToolsPlan): Promise<number> {
  const stage = await openStage();
  const random = createRandom(plan.seed);
  const ends: (() => unknown)[] = [];
  const model = await startScripted({ after: (end) => void ends.push(end as () => unknown) }, script);
  const ledger = join(stage.folder, 'ledger');
  writeFileSync(ledger, '');
  enableTools(stage, { baseUrl: model.settings.baseUrl, ledger });
  const start = () => startProgram(stage.folder, stage.environment);
  const book: Book = { asked: [], again: [], doubts: 0, approvals: 0 };
  let program = start();
  let kills = 0;
  let calmSince = Number.POSITIVE_INFINITY;
  const strike = async (): Promise<void> => {
    for (; kills < plan.kills; kills += 1) {
      // some of them while it starts
      if (random.chance(0.85)) await program.ready;
      await systemClock.sleep(random.int(50, 4_000));
      await program.kill();
      program = start();
      process.stdout.write('x');
    }
    await program.ready;
    calmSince = Date.now();
  };
  const talk = (chat: (typeof directChats)[number]): Promise<void> =>
    talkIn(chat, { stage, book, random, questions: Math.ceil(plan.calls / 2), calm: () => calmSince });
  try {
    print(`chaos with tools, seed ${plan.seed}: ${plan.calls} calls, ${plan.kills} kills`);
    await program.ready;
    await Promise.all([strike(), ...directChats.map(talk)]);
    const exitCode = await program.stop();
    print('');
    const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, -1);
    const found = verdictOf({ book, lines, stage });
    const faults = [
      ...found.faults,
      ...(exitCode === 0 ? [] : [`asked to stop, the program ended with code ${exitCode}`]),
      ...(await faultsAfter(stage.home, [])),
    ];
    for (const fault of faults.slice(0, 40)) print(`WRONG: ${fault}`);
    if (faults.length > 0) {
      print(`What the program said last:\n${program.said()}`);
      print(`Its databases are kept in ${await stage.save(`chaos-tools-${plan.seed}`)}.`);
    }
    print(JSON.stringify({ faults: faults.length, ...found.counts, kills, seed: plan.seed }));
    return faults.length === 0 ? 0 : 1;
  } finally {
    await program.kill();
    for (const end of ends) await end();
    await stage.close();
  }
}

/** One chat: asks, answers what it is asked, and waits for the answer before it asks again. */
async function talkIn(
  { platform, user }: (typeof directChats)[number],
  {
    stage,
    book,
    random,
    questions,
    calm,
  }: { stage: Stage; book: Book; random: Random; questions: number; calm: () => number },
): Promise<void> {
  const sandbox = stage.sandbox[platform];
  const shown = () => sandbox.shown('dm', user).filter(({ author }) => author === 'bot');
  const regrets = (): number => shown().filter(({ text }) => interrupted.test(text)).length;
  const say = (text: string) => sandbox.say({ chat: 'dm', user, text });
  const answered = new Map<string, number>();
  while (book.asked.length < questions) {
    const token = `t${book.asked.length + 1}x`;
    book.asked.push(token);
    const before = regrets();
    // by its token: an answer that Telegram has twice ends no other question
    const isOver = (): boolean =>
      regrets() > before || shown().some(({ text }) => text.includes(`The answer to ${token} `));
    await say(`Do ${token}, ${user === 'you' ? 'with' : 'without'} shipping.`);
    const writtenAt = Date.now();
    while (!isOver() && Date.now() < Math.max(writtenAt, calm()) + withinMs) {
      await systemClock.sleep(150);
      const open = shown().findLast(({ text }) => /May I use|may have run/.test(text) && /number/.test(text));
      if (open === undefined || Date.now() < (answered.get(open.id) ?? 0) + 15_000) continue;
      const isFirst = !answered.has(open.id);
      answered.set(open.id, Date.now());
      const call = /mcp_bank_(pay|ship)[\s\S]*?(t\d+x(?:-b)?)/.exec(open.text);
      if (/May I use/.test(open.text)) {
        if (isFirst) book.approvals += 1;
        await say('1');
      } else {
        if (isFirst) book.doubts += 1;
        const tries = isFirst && random.chance(0.5);
        if (tries && call !== null) book.again.push(`${call[1]} ${call[2]}`);
        await say(tries ? '1' : '2');
      }
    }
  }
}

/** What is wrong, in sentences, and the numbers. */
function verdictOf({ book, lines, stage }: { book: Book; lines: readonly string[]; stage: Stage }) {
  const faults: string[] = [];
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  for (const [line, n] of times) {
    const allowed = 1 + book.again.filter((each) => each === line).length;
    if (n > allowed) faults.push(`"${line}" was carried out ${n} times, and ${allowed} were wanted`);
  }
  const texts = directChats.flatMap(({ platform, user }) =>
    stage.sandbox[platform].shown('dm', user).flatMap(({ author, text }) => (author === 'bot' ? text : [])),
  );
  const answers = texts.flatMap((text) => /The answer to (t\d+x)\b/.exec(text)?.[1] ?? []);
  const regrets = texts.filter((text) => interrupted.test(text)).length;
  const open = book.asked.filter((token) => !answers.includes(token));
  if (open.length > regrets) faults.push(`${open.join(', ')} had no answer, and ${regrets} were reported`);
  const sight = lookAt(stage.home);
  if (sight === undefined || sight.turns + sight.waiting > 0) faults.push('not everything came to rest');
  return {
    faults,
    counts: {
      ...{ questions: book.asked.length, answered: book.asked.length - open.length, interrupted: regrets },
      ...{ lines: lines.length, twice: [...times.values()].filter((n) => n > 1).length },
      ...{ wantedAgain: book.again.length, doubts: book.doubts, approvals: book.approvals },
    },
  };
}

/** The model pays, then ships where that is wanted (which needs approval) or pays again, then answers. */
const script: Script = async ({ prompt, results }) => {
  await systemClock.sleep(150);
  const token = prompt.match(/t\d+x/g)?.at(-1);
  // an answer that came when nothing was asked any more
  if (token === undefined) return { text: 'Nothing is asked.' };
  const ships = /, with shipping/.test(prompt);
  if (results.length === 0) return { calls: [{ name: 'mcp_bank_pay', args: { what: token } }] };
  if (results.length === 1)
    return ships
      ? { calls: [{ name: 'mcp_bank_ship', args: { what: token } }] }
      : { calls: [{ name: 'mcp_bank_pay', args: { what: `${token}-b` } }] };
  return { text: `The answer to ${token} is here.` };
};

function enableTools(stage: Stage, { baseUrl, ledger }: { baseUrl: string; ledger: string }): void {
  const path = join(stage.folder, configFileName);
  const config = JSON.parse(readFileSync(path, 'utf8')); // written by the stage
  const model = { provider: 'openai-compatible', name: 'm', baseUrl };
  const bank = { command: process.execPath, args: [server], env: { LEDGER: ledger, DELAY_MS: '600' } };
  const tools = { ...config.tools, policy: { mcp_bank_pay: 'allow', mcp_bank_ship: 'ask' } };
  writeFileSync(path, JSON.stringify({ ...config, model, mcp: { bank }, tools }));
}
