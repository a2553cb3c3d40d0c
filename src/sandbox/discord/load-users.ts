// The load users on the sandbox's Discord: further people and their direct messages in the same world.
import { createLoadUserListeners, type LoadUsers, notALoadUser } from '#sandbox/load-users.ts';
import { newMember } from './world/guilds.ts';
import { allPings, post } from './world/speech.ts';
import { type DirectChannel, directOf, type World, type WorldPerson } from './world/world.ts';

/** Adds `size` people to the world. */
export function createLoadUsers(world: World, size: number): LoadUsers {
  const listeners = createLoadUserListeners();
  const chats: DirectChannel[] = [];
  const personOf = new Map<string, number>();
  for (let person = 0; person < size; person += 1) {
    const id = world.newID();
    const account: WorldPerson = { id, username: `load${person}`, globalName: undefined, kind: 'person' };
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
    listeners.notify({ kind: happening.type === 'posted' ? 'posted' : 'edited', person, id, text: content });
  });
  return {
    size,
    say(person, text) {
      const channel = chats[person];
      if (channel === undefined) throw notALoadUser(person, size);
      const { id } = post(world, { channel, authorID: channel.personID, content: text, pings: allPings });
      return { id };
    },
    onAnswer: listeners.add,
  };
}
