// Some histories side by side in one program: in each round every history does one thing, and then everything comes to rest.

import type { SandboxPlatform } from '#sandbox/contract.ts';
import type { PlaceMessage } from '#sandbox/places.ts';
import { createRandom } from '../harness/random.ts';
import type { ChainName } from './chains.ts';
import { History } from './history.ts';
import { onlookersOf, type Seen } from './onlookers.ts';
import { operatorOf } from './operator.ts';
import { createOracle, type Leak, type Oracle, type PlacedRoom, wordsIn } from './oracle.ts';
import { nothingNotice } from './repeating-model.ts';
import { type Running, startRunning } from './running.ts';

export type ModeName =
  | 'budgets'
  | 'pairing'
  | 'everyone'
  | 'single'
  | 'single slack'
  | 'rooms'
  | 'persons'
  | 'silent';

/** How the program is configured. */
export interface Mode {
  name: ModeName;
  sharing: 'room' | 'space' | 'everyone';
  directMessages: 'open' | 'pairing';
  /** The platform on which each chat remembers only itself. */
  single?: SandboxPlatform | undefined;
  sessions: 'room' | 'person';
  /** What brings memories up before an answer that its message does not ask for. */
  look: 'off' | 'ranking' | 'model';
  /** Whether budgets summarize and evict what is remembered. */
  budgets?: boolean | undefined;
  /** What a look at a platform for who may read what may take, in milliseconds: with little, platforms often do not say it in time. */
  looksMs?: number | undefined;
}

export interface BatchPlan {
  seed: number;
  /** The number of the first history, and how many there are. */
  first: number;
  histories: number;
  rounds: number;
  mode: Mode;
  /** Chains that histories begin in place of any other; all by chance when absent. */
  chains?: readonly ChainName[] | undefined;
  /** Ends with the round of the first leak. */
  untilFirst?: boolean | undefined;
}

export interface BatchResult {
  leaks: (Leak & { history: number; log: readonly string[]; shown: string })[];
  /** Messages that the bot posted or changed. */
  shown: number;
  /** What the console showed a viewer with words in it. */
  viewed: number;
  /** Canaries in them that were judged. */
  judged: number;
  /** Of these, canaries that were written in another place than that where they were shown. */
  fromElsewhere: number;
  /** Answers that a look before them gave memories. */
  volunteered: number;
  /** What the platforms did not allow. */
  refused: number;
  logs: string[];
}

const platforms = ['discord', 'telegram', 'slack'] as const;
/** Canaries are counted in base 36, seven digits. */
const digits = 7;
/** Another stream of random numbers than any history's. */
const watching = 50_000;

export function nothingPlayed(): BatchResult {
  return {
    leaks: [],
    shown: 0,
    viewed: 0,
    judged: 0,
    fromElsewhere: 0,
    volunteered: 0,
    refused: 0,
    logs: [],
  };
}

/** Plays the batch; the same plan is the same histories. */
export async function playBatch(plan: BatchPlan): Promise<BatchResult> {
  const running = await startRunning(plan.mode);
  try {
    return await play(plan, running);
  } finally {
    await running.close();
  }
}

async function play(plan: BatchPlan, running: Running): Promise<BatchResult> {
  const { sandbox } = running;
  const places = {
    discord: sandbox.discord.places,
    telegram: sandbox.telegram.places,
    slack: sandbox.slack.places,
  };
  const histories: History[] = [];
  const pairing = plan.mode.directMessages === 'pairing';
  const oracle = createOracle({
    places,
    everyone: plan.mode.sharing === 'everyone',
    single: plan.mode.single,
    witnessOf: (room) =>
      histories.map(({ cast }) => cast.witnessOf(room)).find((witness) => witness !== undefined),
    isPerson: ({ platform, id }) =>
      histories.some(({ cast }) =>
        cast.accounts.some((one) => one.platform === platform && userOf(one.id) === userOf(id)),
      ),
    isDirect: ({ platform, id }) =>
      histories.some(({ cast }) =>
        cast.accounts.some((account) => account.platform === platform && cast.direct(account).id === id),
      ),
    isOutsider: ({ id }) => histories.some(({ cast }) => cast.outsiders.has(id)),
    closesSilently: ({ platform, id }) =>
      platform === 'telegram' &&
      histories.some(({ cast }) =>
        // a topic is as open as its forum
        cast.rooms.some((room) => room.id === id && ['public group', 'topic'].includes(room.kind)),
      ),
    named: (name) =>
      histories.flatMap(({ cast }) => [...cast.names].flatMap(([one, its]) => (its === name ? [one] : []))),
  });
  const operator = operatorOf(running);
  let said = plan.first * 10_000;
  const newCanary = (): string => `zq${(said++).toString(36).padStart(digits, '0')}`;
  /** By history: what is done in one waits for nothing of another. */
  const atRest = new Map<number, (() => void | Promise<void>)[]>();
  let stays: { word: string; room: PlacedRoom }[] = [];
  for (let index = plan.first; index < plan.first + plan.histories; index += 1)
    histories.push(
      new History({
        atRest: (act) => void atRest.set(index, [...(atRest.get(index) ?? []), act]),
        // budgets may evict it as well
        stays: (told) => void (plan.mode.budgets === true || stays.push(told)),
        index,
        random: createRandom(plan.seed * 100_003 + index),
        places,
        oracle,
        operator,
        newCanary,
        chains: plan.chains,
      }),
    );
  const result = nothingPlayed();
  const random = createRandom(plan.seed * 100_003 + plan.first + watching);
  const judgeSeen = judgeSeenOf({ histories, oracle, result });
  const onlookers = onlookersOf(running, judgeSeen.byViewer);
  const countLooks = async (): Promise<void> => {
    result.volunteered += (await running.client().memory.active()).counts?.given ?? 0;
  };
  let rooms = roomsOf(histories);
  const stops = platforms.map((platform) =>
    places[platform].onBotMessage(({ room, message }) => {
      const found =
        rooms.get(`${platform} ${room}`) ?? inThread(rooms.get(`${platform} ${room.split('/')[0]}`), room);
      if (found === undefined) return;
      found.history.settled(); // an answer after the one that links two accounts is read by one person
      judge(found, message, { oracle, result });
    }),
  );
  try {
    await running.settled();
    for (let round = 0; round < plan.rounds; round += 1) {
      if (plan.untilFirst === true && result.leaks.length > 0) break;
      rooms = roomsOf(histories);
      await Promise.all(histories.map((history) => history.step()));
      rooms = roomsOf(histories);
      await running.settled();
      if (pairing) {
        for (const history of histories) await history.letIn();
        await running.settled();
      }
      if (atRest.size > 0) {
        await Promise.all(
          [...atRest.values()].map(async (acts) => {
            for (const act of acts) await act();
          }),
        );
        atRest.clear();
        await running.settled();
      }
      for (const history of histories) history.settled();
      for (const seen of await onlookers.view()) judgeSeen.byViewer(seen);
      judgeSeen.unseen(await onlookers.lookUnseen(random));
      for (const { word, room } of stays) if (!(await operator.remembers(word))) judgeSeen.lost(word, room);
      stays = [];
      if (round === Math.floor(plan.rounds / 2)) {
        await countLooks(); // a restart counts from zero
        await onlookers.leave();
        await running.backUp();
        // nobody tells it of this again once it is as it was before
        for (const history of histories) history.meanwhile();
        await running.settled();
        await running.restore();
      }
    }
    await countLooks();
  } finally {
    for (const stop of stops) stop();
    await onlookers.leave();
  }
  result.refused = histories.reduce(
    (sum, { cast }) => sum + cast.log.filter((line) => line.startsWith('(')).length,
    0,
  );
  result.logs = histories.flatMap(({ cast }) => ['--', ...cast.log]);
  return result;
}

/** The user of an account, which on Slack has the workspace in front of it that it is seen from. */
const userOf = (id: string): string | undefined => id.split('/').at(-1);

interface Found {
  history: History;
  room: PlacedRoom;
  index: number;
}

/** A thread that the bot itself began, as a place of its own with the memory of its room. */
function inThread(parent: Found | undefined, id: string): Found | undefined {
  return parent && { ...parent, room: { ...parent.room, id } };
}

function roomsOf(histories: readonly History[]): Map<string, Found> {
  return new Map(
    histories.flatMap((history, index) =>
      history.cast
        .allRooms()
        .map((room) => [`${room.platform} ${room.id}`, { history, room, index }] as const),
    ),
  );
}

type ToldLeak = BatchResult['leaks'][number];

/** What no account was shown, as a leak. */
function leakOf(
  found: Pick<Leak, 'canary' | 'saidIn'>,
  { by = 'someone', at, shown = '' }: { by?: string; at: string; shown?: string },
): ToldLeak {
  const reader = { platform: 'console', id: by };
  return { ...found, reader, shownIn: { platform: 'console', id: at }, history: 0, log: [], shown };
}

/** Judges what the console shows a viewer, and an owner without a line in the audit, and what memory has lost. */
function judgeSeenOf(of: { histories: readonly History[]; oracle: Oracle; result: BatchResult }) {
  const { histories, oracle, result } = of;
  const add = (found: Pick<Leak, 'canary' | 'saidIn'>, how: { by: string; at: string }): void => {
    const isThere = ({ platform, id }: PlacedRoom): boolean =>
      found.saidIn.some((one) => one.platform === platform && one.id === id);
    const history = Math.max(
      0,
      histories.findIndex(({ cast }) => cast.allRooms().some(isThere)),
    );
    const log = [...(histories[history]?.cast.log ?? [])];
    result.leaks.push({ ...leakOf(found, how), history, log });
  };
  return {
    byViewer({ path, words }: Seen): void {
      if (words.length > 0) result.viewed += 1;
      for (const found of oracle.notOpen(words)) add(found, { by: 'a viewer', at: path });
    },
    lost: (canary: string, room: PlacedRoom): void =>
      add({ canary, saidIn: [room] }, { by: 'someone', at: 'memory, which has lost it' }),
    unseen(seen: Seen | undefined): void {
      const [canary] = seen?.words ?? [];
      if (seen === undefined || canary === undefined) return;
      add({ canary, saidIn: oracle.saidIn(canary) }, { by: 'an owner, unseen', at: seen.path });
    },
  };
}

/** Judges one message of the bot's as it is now. */
function judge(
  { history, room, index }: Found,
  message: PlaceMessage,
  { oracle, result }: { oracle: Oracle; result: BatchResult },
): void {
  const readers = history.cast.readersOf(room, message.id, message.onlyTo);
  result.shown += 1;
  result.judged += new Set(wordsIn(message)).size;
  if (message.text !== nothingNotice)
    history.cast.log.push(`${room.platform} bot in ${room.id}: ${message.text.slice(0, 200)}`);
  for (const leak of oracle.judge(room, message, readers))
    result.leaks.push({ ...leak, history: index, log: [...history.cast.log], shown: message.text });
  for (const { canary, to } of oracle.misattributed(message))
    result.leaks.push({
      ...leakOf({ canary, saidIn: oracle.saidIn(canary) }, { at: room.id, shown: message.text }),
      ...{ reader: to, history: index, log: [...history.cast.log] },
    });
  result.fromElsewhere += oracle.fromElsewhere(room, message);
  oracle.said(room, message.id);
}
