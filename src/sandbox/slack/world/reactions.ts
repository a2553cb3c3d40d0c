// Who reacted to a message with which emoji, by Slack's names. What is reported of it is not here.
import type { Stored } from './world.ts';

export interface Reaction {
  message: Stored;
  name: string;
  user: string;
}

/** False where the account has reacted so already. */
export function addReaction({ message, name, user }: Reaction): boolean {
  const present = message.reactions.find((reaction) => reaction.name === name);
  if (present?.users.includes(user) === true) return false;
  if (present === undefined) message.reactions.push({ name, users: [user] });
  else present.users.push(user);
  return true;
}

/** False where the account has not reacted so. */
export function removeReaction({ message, name, user }: Reaction): boolean {
  const present = message.reactions.find((reaction) => reaction.name === name);
  if (present?.users.includes(user) !== true) return false;
  present.users = present.users.filter((each) => each !== user);
  message.reactions = message.reactions.filter((reaction) => reaction.users.length > 0);
  return true;
}
