// Plays the story of the rooms on all platforms at once, and prints it platform by platform.
import type { Sandbox } from '#app/compose/sandbox.ts';
import type { SandboxPlatform, ShownMessage } from '#sandbox/contract.ts';
import { type Happened, happen } from './happenings.ts';
import { type RoomScene, roomsStory } from './rooms-story.ts';
import { createStage, type PlaceInRoom, type Stage } from './stage.ts';
import type { Scene } from './story.ts';
import { type createAsAbove, transcript } from './transcript.ts';

/** The result of the story. */
interface RoomsPlayed {
  exchanges: number;
  parts: number;
  misses: string[];
}

/** Milliseconds that an answer may take. */
const usualMs = 30_000;
const platforms: readonly SandboxPlatform[] = ['discord', 'telegram', 'slack'];

/**
 * Plays each scene in the three rooms together. A Parley that answers offline must be connected to them; each scene may take `withinMs`
 * milliseconds.
 */
export async function playRooms({
  sandbox,
  print,
  idle,
  asAbove = (answers) => [...answers],
  withinMs = usualMs,
}: {
  sandbox: Sandbox;
  print: (line: string) => void;
  idle?: (() => Promise<boolean>) | undefined;
  asAbove?: ReturnType<typeof createAsAbove>;
  withinMs?: number;
}): Promise<RoomsPlayed> {
  const stage = createStage(sandbox, idle);
  sandbox.telegram.setPrivacy('off');
  const played: RoomsPlayed = { exchanges: 0, parts: 0, misses: [] };
  /** Where the last scene was, for the next one in the same thread. */
  const places = new Map<SandboxPlatform, PlaceInRoom>();
  for (const scene of roomsStory) {
    const results = await Promise.all(
      platforms.map(async (platform) => {
        const about = { sandbox, platform, happens: scene.happens, place: places.get(platform) };
        const since = stage.mark(spoken(scene, platform));
        const happened = await happen(about);
        places.set(platform, happened.place);
        return playOne({ scene, platform, stage, happened, since, withinMs });
      }),
    );
    for (const { platform, happened, answers, miss } of results) {
      if (miss === undefined) played.exchanges += 1;
      else played.misses.push(miss);
      played.parts += answers.length;
      for (const text of transcript(spoken(scene, platform), asAbove(answers), happened.lines)) print(text);
    }
  }
  return played;
}

function spoken({ text, expects }: RoomScene, platform: SandboxPlatform): Scene {
  return { platform, chat: 'room', user: 'you', text, expects: expects[platform] };
}

async function playOne({
  scene,
  platform,
  stage,
  happened,
  since,
  withinMs,
}: {
  scene: RoomScene;
  platform: SandboxPlatform;
  stage: Stage;
  happened: Happened;
  since: { before: number };
  withinMs: number;
}) {
  const asked = spoken(scene, platform);
  await stage.say(asked, happened.place);
  // answers to what was written before the question count as well: nothing of it was for the bot
  const answers = (): readonly ShownMessage[] => stage.answers(asked, since);
  // a second message is not taken back: there is nothing left to wait for
  const isOver = (): boolean => answers().length > 1 || missIn(asked, answers()) === undefined;
  await stage.settled(asked, isOver, withinMs);
  return { platform, happened, answers: answers(), miss: missIn(asked, answers()) };
}

/** What is wrong with what the bot wrote since the scene began, or undefined. */
function missIn({ platform, text, expects }: Scene, answers: readonly ShownMessage[]): string | undefined {
  const where = `${platform} room, "${text}"`;
  const [first, ...more] = answers;
  if (first === undefined) return `${where}: no answer came`;
  if (more.length > 0) return `${where}: ${answers.length} messages, expected one`;
  return expects?.test(first.text) === false ? `${where}: the answer lacks ${expects}` : undefined;
}
