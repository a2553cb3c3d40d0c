// Operators at work next to the program: commands, the HTTP API and a chat, chosen at random.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';
import type { LoadUsers } from '../harness/load-users.ts';
import { entriesWith } from '../harness/look.ts';
import type { Random } from '../harness/random.ts';
import type { Stage } from '../harness/stage.ts';
import { createChatCommands } from './chat-commands.ts';
import { type Ended, runCommand } from './command.ts';
import { createNotes, type Note, type Notes } from './notes.ts';

export interface Operators {
  notes: Notes;
  /** How often each thing was done to its end. */
  done: ReadonlyMap<string, number>;
  /** Commands that were killed. */
  killed(): number;
  /** What was wrong while they worked, one sentence for each case. */
  faults: readonly string[];
  /** Resolves when the last one has ended, after the signal aborted. */
  over: Promise<void>;
}

/** How many work at once besides the program: with this many, every pair of commands meets sooner or later. */
const atOnce = 2;
/** A run does no more than this, however long it takes. */
const maxDone = 400;
const pauseMs = { least: 50, most: 700 };
/** One in so many commands is killed in the middle. */
const killShare = 0.08;
const maxSaid = 400;

export interface OperatorsOptions {
  stage: Stage;
  users: LoadUsers;
  port: number;
  random: Random;
  signal: AbortSignal;
}

/** Starts them; they stop on their own when the signal aborts or all that a run may do is done. */
export function startOperators(options: OperatorsOptions): Operators {
  const { random, signal } = options;
  const notes = createNotes(random);
  const done = new Map<string, number>();
  const faults: string[] = [];
  let killed = 0;
  let begun = 0;
  const run = async (...words: string[]): Promise<Ended> => {
    const killAfterMs = random.chance(killShare) ? random.int(50, 1_500) : undefined;
    const { folder, environment } = options.stage;
    const ended = await runCommand(words, { folder, environment, killAfterMs });
    if (ended.code === null) killed += 1;
    return ended;
  };
  const works = worksOf({ ...options, notes, faults, run });
  const names = Object.keys(works);
  const one = async (): Promise<void> => {
    for (; begun < maxDone && !signal.aborted; ) {
      begun += 1;
      const name = names[random.int(0, names.length - 1)] ?? '';
      try {
        await works[name]?.();
        done.set(name, (done.get(name) ?? 0) + 1);
      } catch (error) {
        faults.push(`${name}: ${errorMessage(error)}`);
      }
      await systemClock.sleep(random.int(pauseMs.least, pauseMs.most));
    }
  };
  const over = Promise.all(Array.from({ length: atOnce }, one)).then(() => undefined);
  return { notes, done, faults, over, killed: () => killed };
}

interface Tools extends OperatorsOptions {
  notes: Notes;
  faults: string[];
  run: (...words: string[]) => Promise<Ended>;
}

/** What operators do, by name. Each throws with a message when something is wrong. */
function worksOf(tools: Tools): Record<string, () => Promise<void>> {
  const { run } = tools;
  const plainly = async (allowed: readonly number[], ...words: string[]): Promise<string> => {
    const { code, said } = await run(...words);
    if (code !== null && !allowed.includes(code))
      throw new Error(`"parley ${words.join(' ')}" ended with ${code}: ${said.slice(-maxSaid)}`);
    return said;
  };
  return {
    ...puts(tools),
    ...forgets(tools),
    ...copies(tools),
    'memory status': async () => void (await plainly([0], 'memory', 'status', '--deep')),
    'memory verify': async () => void (await plainly([0], 'memory', 'verify')),
    'memory reindex': async () => void (await plainly([0], 'memory', 'reindex')),
    async people() {
      const { code, said } = await run('people');
      // the program was killed between the request and its answer
      const isCut = code === 1 && /ended the connection before they answered/.test(said);
      if (code !== null && code !== 0 && !isCut)
        throw new Error(`it ended with ${code}: ${said.slice(-maxSaid)}`);
    },
    // 1: the program is down, or failing with its platforms
    status: async () => void (await plainly([0, 1], 'status')),
    async doctor() {
      const said = await plainly([0, 1], 'doctor');
      if (/damaged|does not fit|cannot be (used|read)/.test(said)) throw new Error(said);
    },
  };
}

/** Calls the engine; undefined when it is down, or went down before it answered. */
async function call(
  { stage, port }: Tools,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; answer: { id?: string | null } } | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stage.environment.PARLEY_TOKEN}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, answer: Object(await response.json()) };
  } catch (error) {
    if (error instanceof TypeError || codeOf(error) !== undefined || error instanceof SyntaxError)
      return undefined;
    throw error;
  }
}

/** Called first, since of a call that fails nobody knows whether it was carried out. */
async function isUp(tools: Tools): Promise<boolean> {
  return (await call(tools, 'GET', '/global/health')) !== undefined;
}

function puts(tools: Tools): Record<string, () => Promise<void>> {
  const { notes, run, stage } = tools;
  const putByCommand = async (): Promise<void> => {
    const note = notes.next();
    const { code, said } = await run('memory', 'put', note.text);
    if (code === null) return;
    note.id = /^(mem_\w+) is stored/m.exec(said)?.[1];
    if (code !== 0 || note.id === undefined) throw new Error(`it ended with ${code}: ${said}`);
    note.put = 'acknowledged';
  };
  const putByRequest = async (): Promise<void> => {
    if (!(await isUp(tools))) return;
    const note = notes.next();
    const put = await call(tools, 'POST', '/memory/put', { content: note.text });
    if (put === undefined) return;
    if (put.status !== 200) throw new Error(`it was answered with ${put.status}`);
    note.id = put.answer.id ?? undefined;
    note.put = 'acknowledged';
  };
  return {
    'memory put': putByCommand,
    'memory put again': putByCommand,
    'POST /memory/put': putByRequest,
    'POST /memory/put again': putByRequest,
    async 'memory import'() {
      const note = notes.next();
      const path = join(stage.folder, 'documents', `${note.word}.md`);
      await mkdir(join(stage.folder, 'documents'), { recursive: true });
      await writeFile(path, `# Boxes\n\n${note.text}\n`);
      const words = [path, '--format', 'directory', '--audience', 'person:operator'];
      const { code, said } = await run('memory', 'import', ...words);
      if (code !== null && code !== 0) throw new Error(`it ended with ${code}: ${said}`);
      if (code === 0) note.put = 'acknowledged';
    },
  };
}

function forgets(tools: Tools): Record<string, () => Promise<void>> {
  const { notes, run } = tools;
  const chat = createChatCommands(tools.users);
  /** Something that exists and may be deleted from this moment on. */
  const chosen = (fits: (note: Note) => boolean): Note | undefined => {
    const note = notes.any();
    if (note === undefined || !fits(note)) return undefined;
    note.forget = 'asked';
    return note;
  };
  return {
    async 'memory forget'() {
      const note = chosen(() => true);
      if (note === undefined) return;
      const { code, said } = await run('memory', 'forget', '--contains', note.word, '--apply');
      if (code === null) return;
      if (!/^1 entry is forgotten/m.test(said))
        throw new Error(`of ${note.word}: ended with ${code}: ${said}`);
      note.forget = 'acknowledged';
    },
    async 'DELETE /memory/ID'() {
      if (!(await isUp(tools))) return;
      const note = chosen(({ id }) => id?.startsWith('mem_') === true);
      if (note === undefined) return;
      const gone = await call(tools, 'DELETE', `/memory/${note.id}`);
      if (gone === undefined) return;
      if (gone.status !== 200) throw new Error(`of ${note.word} was answered with ${gone.status}`);
      note.forget = 'acknowledged';
    },
    async '/memory save'() {
      await chat.single(async (say) => {
        const note = notes.next();
        const reply = await say(`/memory save ${note.text}`);
        if (!/I will remember that/.test(reply))
          throw new Error(`of ${note.word} was answered with: ${reply}`);
        note.id = /\(`?(\w+)`?\)/.exec(reply)?.[1];
        note.put = 'acknowledged';
      });
    },
    async '/memory forget'() {
      await chat.single(async (say) => {
        const note = chosen(({ id }) => id !== undefined && !id.startsWith('mem_'));
        if (note === undefined) return;
        const reply = await say(`/memory forget ${note.id}`);
        // a program that died after it had forgotten is asked again, and finds nothing
        if (reply.includes(note.word)) note.forget = 'acknowledged';
        else if (!/There is nothing with the ID/.test(reply))
          throw new Error(`of ${note.word} was answered with: ${reply}`);
      });
    },
  };
}

/** Exports and backups: whole, with what was there before they began. */
function copies({ notes, run, stage }: Tools): Record<string, () => Promise<void>> {
  let made = 0;
  const compare = (seen: ReturnType<Notes['seenFromNow']>, has: (word: string) => boolean): void => {
    const { there, gone } = seen.of();
    const missing = there.filter(({ word }) => !has(word)).map(({ word }) => word);
    const back = gone.filter(({ word }) => has(word)).map(({ word }) => word);
    if (missing.length > 0) throw new Error(`it lacks ${missing.join(', ')}`);
    if (back.length > 0) throw new Error(`it holds what was forgotten: ${back.join(', ')}`);
  };
  return {
    async 'memory export'() {
      made += 1;
      const file = join(stage.folder, `memory-${made}.jsonl`);
      const seen = notes.seenFromNow();
      const { code, said } = await run('memory', 'export', file);
      if (code === null) return;
      if (code !== 0) throw new Error(`it ended with ${code}: ${said}`);
      const text = await readFile(file, 'utf8');
      for (const line of text.trim().split('\n')) if (line !== '') JSON.parse(line);
      compare(seen, (word) => text.includes(word));
    },
    async backup() {
      made += 1;
      const folder = join(stage.folder, `backup-${made}`);
      const seen = notes.seenFromNow();
      const { code, said } = await run('backup', folder);
      if (code === null) return;
      if (code !== 0) throw new Error(`it ended with ${code}: ${said}`);
      const held = entriesWith(folder, 'quo');
      compare(seen, (word) => held.some((text) => text.includes(word)));
    },
  };
}
