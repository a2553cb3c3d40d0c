// What a person did without typing it, as the message that they would have typed: a pressed button, a reaction, an edit, a schedule.
import type { MessageEvent } from '#adapters/gateway/terms/inbound.ts';
import type { Inbox, NewInboxRow } from './inbox.ts';
import type { InboxRow } from './inbox-row.ts';

/** The message, meant for the bot wherever it is; `about` is the turn that it is about. */
export function madeMessage(
  { address, actor, at }: Pick<MessageEvent, 'address' | 'actor' | 'at'>,
  {
    nativeID,
    text,
    about,
    isTopic,
  }: Pick<MessageEvent, 'nativeID' | 'text' | 'about'> & { isTopic?: boolean },
): MessageEvent {
  return {
    type: 'message',
    ...{ address, nativeID, at, actor, text },
    addressed: address.kind === 'dm' ? 'dm' : 'mention',
    files: [],
    ...(about === undefined ? {} : { about }),
    ...(isTopic === true ? { topic: true } : {}),
  };
}

/** Puts a message into the inbox as a command, inside the caller's transaction: its row, or undefined where it is there already. */
export function insertCommand(
  inbox: Pick<Inbox, 'insert' | 'find'>,
  row: Omit<NewInboxRow, 'kind'>,
): InboxRow | undefined {
  const isNew = inbox.insert({ ...row, kind: 'command' });
  return isNew ? inbox.find(row.event.address, row.event.nativeID) : undefined;
}
