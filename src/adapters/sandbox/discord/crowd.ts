// The crowd on the sandbox's Discord: further people and their direct messages in the same world.
import { type Crowd, createCrowdListeners, notInCrowd } from '#adapters/sandbox/crowd.ts';
import { newMember } from './guilds.ts';
import { allPings, post } from './speech.ts';
import { type DirectChannel, directOf, type Person, type World } from './world.ts';

/** Adds `size` people to the world. */
export function createCrowd(world: World, size: number): Crowd {
  const listeners = createCrowdListeners();
  const chats: DirectChannel[] = [];
  const personOf = new Map<string, number>();
  for (let person = 0; person < size; person += 1) {
    const id = world.newID();
    const account: Person = { id, username: `crowd${person}`, globalName: undefined, kind: 'person' };
    world.people.set(id, account);
    world.home.members.set(id, newMember(id, world.clock.now()));
    const chat = directOf(world, account);
    chats.push(chat);
    personOf.set(chat.id, person);
  }
  world.listen((happening) => {
    if (happening.type !== 'posted' && happening.type !== 'changed') return;
    const { id, authorID, channelID, content } = happening.message;
    const person = personOf.get(channelID);
    if (person === undefined || authorID !== world.bot.id) return;
    listeners.tell({ kind: happening.type === 'posted' ? 'posted' : 'edited', person, id, text: content });
  });
  return {
    size,
    say(person, text) {
      const channel = chats[person];
      if (channel === undefined) throw notInCrowd(person, size);
      const { id } = post(world, { channel, authorID: channel.personID, content: text, pings: allPings });
      return { id };
    },
    onAnswer: listeners.add,
  };
}
