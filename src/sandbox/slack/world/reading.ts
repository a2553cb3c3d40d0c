// Who may read what on Slack, by Slack's own rules and from the workspace's own state.
import { type Room, type SlackAccount, team } from './workspace.ts';
import type { Stored } from './world.ts';

/**
 * Whether the account can open the conversation. Members of the workspace can open every public channel; guests and people of another
 * workspace what they are in, and who is deactivated nothing (slack.com/help: "Understand guest roles", "Slack Connect", "Deactivate").
 * What another workspace's members can see of a shared channel without being in it, its own administrators decide: none of it here.
 */
export function mayOpen(account: SlackAccount, room: Room): boolean {
  if (account.standing === 'none' || account.standing === 'gone') return false;
  if (room.members.has(account.id)) return true;
  return room.kind === 'channel' && account.standing === 'member' && account.home === team.id;
}

/** Whether the account can read the message: who may open a conversation may read all of it, threads and history alike. */
export function mayRead(account: SlackAccount, message: Stored): boolean {
  if (message.subtype === 'tombstone') return false;
  if (message.onlyFor !== undefined && message.onlyFor !== account.id) return false;
  return mayOpen(account, message.room);
}
