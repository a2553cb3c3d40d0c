// What only one person sees in a channel: ephemeral messages, which no history has and no event reports. No routes.
import type { Whisper, World, WorldChannel, WorldPerson } from './world.ts';

/** Shows something to one person in a channel. */
export function whisper(
  world: World,
  to: { channel: WorldChannel; person: WorldPerson },
  content: Pick<Whisper, 'content' | 'state'>,
): Whisper {
  const { channel, person } = to;
  const shown: Whisper = {
    ...{ id: world.newID(), channelID: channel.id, personID: person.id, at: world.clock.now() },
    ...content,
  };
  world.whispers.set(channel.id, [...(world.whispers.get(channel.id) ?? []), shown]);
  world.notify({ type: 'whispered', whisper: shown });
  return shown;
}

/** Gives it another text; one in the place of a sign is the first. */
export function rewriteWhisper(world: World, shown: Whisper, content: string): void {
  Object.assign(shown, { content, state: 'said' });
  world.notify({ type: 'whispered', whisper: shown });
}

export function removeWhisper(world: World, shown: Whisper): void {
  const all = world.whispers.get(shown.channelID) ?? [];
  world.whispers.set(
    shown.channelID,
    all.filter((each) => each !== shown),
  );
  world.notify({ type: 'whisper gone', whisper: shown });
}
