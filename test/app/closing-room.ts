// A house with an open room in which one person has said two things, and which is closed afterwards. Not a test.
import type { TestContext } from 'node:test';
import { found } from '../support/found.ts';
import { openHouse } from './house.ts';

export const platforms = ['discord', 'telegram', 'slack'] as const;

/**
 * A house with an open room in which Ann has said two things, each in a conversation of its own where the platform has such, and another
 * room of the same space, in which Robin, the owner, has spoken.
 */
export async function openRoom(t: TestContext, platform: (typeof platforms)[number]) {
  // a group on Telegram is its own space: only where everyone may be told is anyone shown what others wrote in it
  const config = platform === 'telegram' ? { memory: { sharing: 'everyone' } } : {};
  const house = await openHouse(t, { config });
  await house.ready(platform);
  const { places } = house.sandbox[platform];
  const robin = house.sandbox[platform].userID('you');
  const space = places.addSpace('crew');
  const account = places.addAccount('ann');
  places.joinSpace(account, space);
  places.joinSpace(robin, space);
  const kind = platform === 'telegram' ? 'public group' : 'public';
  const add = (name: string, member: string): string =>
    places.addRoom({ space, kind, name, parent: undefined, members: [member] });
  const [room, other] = [add('lobby', account), add('other', robin)];
  const rest = async (): Promise<void> => {
    await found('rest', () => {
      const { active, waiting, changes } = house.parley.gateway.lanes();
      const left = house.parley.gateway.status().some((one) => one.inboxBacklog + one.outboxBacklog > 0);
      return active + waiting + changes === 0 && !left ? true : undefined;
    });
  };
  /** Says something and gives all that the bot posted until it rests, with what text files say. */
  const say = async (by: string, text: string, at = room): Promise<string> => {
    const posted: string[] = [];
    const stop = places.onBotMessage(
      ({ message }) => void posted.push(message.text, ...(message.files ?? [])),
    );
    await places.say({ account: by, room: at, text, mention: true });
    await found('an answer', () => (posted.length > 0 ? true : undefined));
    await rest();
    stop();
    return posted.join('\n');
  };
  await say(robin, 'Good morning.', other);
  for (const text of ['The heron is near the lock.', 'The zeppelin lands on Monday.'])
    await say(account, text);
  /** Resolves once Parley knows. */
  const close = async (): Promise<void> => {
    places.setOpen(room, false);
    // Telegram says nothing of it before the next message
    if (platform === 'telegram') await say(account, 'It is raining.');
  };
  /** Robin in the other room of the space, and both in private. */
  const inPrivate = {
    robin: (text: string) => say(robin, text, places.direct(robin)),
    ann: (text: string) => say(account, text, places.direct(account)),
  };
  return {
    ...{ house, close, rest, inPrivate },
    say: (text: string) => say(account, text),
    askElsewhere: (text: string) => say(robin, text, other),
    leave: () => places.leaveRoom(account, room, 'left'),
  };
}
