// What people do in the sandbox, and what of it Telegram reports to the bot.

import { ParleyError } from '#base/errors.ts';
import type { SandboxChat, SandboxUser, Say } from '#sandbox/contract.ts';
import { createCounter } from '#sandbox/store.ts';
import { cleanMessageText } from '#sandbox/telegram/entities/entity-cleaning.ts';
import { botSees } from '#sandbox/telegram/world/bot-sees.ts';
import { composeMessage } from '#sandbox/telegram/world/compose-message.ts';
import { type MediaKind, mediaContent, mediaKindOf } from '#sandbox/telegram/world/media-content.ts';
import type { Upload } from '#sandbox/telegram/world/params.ts';
import { isInside } from '#sandbox/telegram/world/standing.ts';
import type { State } from '#sandbox/telegram/world/state.ts';
import type { TgMessage } from '#sandbox/telegram/world/wire.ts';
import { messageAt, type SandboxChatState, type Stored } from '#sandbox/telegram/world/world.ts';

const textLimit = 4096;

export interface SayFile extends Upload {
  chat: SandboxChat;
  user: SandboxUser;
  caption?: string | undefined;
  /** What the client sends it as; a document unless set otherwise. */
  as?: MediaKind | undefined;
}

interface People {
  /** Says it; with several files an album, whose first message carries the text. */
  say(say: Say): Stored;
  sayFile(say: SayFile): Stored;
  /** Posts whatever a message can hold: a place, a poll, a forward. */
  post(say: Pick<Say, 'chat' | 'user' | 'replyTo' | 'thread'>, content: Partial<TgMessage>): Stored;
  edit(id: string, text: string): void;
  remove(id: string): void;
  /** Delivers the message once more, under a new update id: what is confirmed comes again only so. */
  redeliver(id: string): void;
  /** Presses a button of the bot's message; the id of the callback query. */
  press(id: string, user: SandboxUser, data: string): string;
  /** Presses the stop button of the draft in the person's direct message. */
  stopDraft(user: SandboxUser): void;
}

/** The people of this world; ParleyErrors `unknown_message`, `not_a_users_message`, `not_a_member`, `invalid_text` and `no_such_button` say what cannot be. */
export function createPeople(state: State): People {
  const { world, queue } = state;
  const queries = createCounter(state, 'query', 0);
  const albums = createCounter(state, 'album', 0);

  function post(say: Pick<Say, 'chat' | 'user' | 'replyTo' | 'thread'>, content: Partial<TgMessage>): Stored {
    const room = world.room(say.chat, say.user);
    if (!isInside(room, world.people[say.user].id))
      throw new ParleyError('not_a_member', `"${say.user}" is not in the chat "${say.chat}".`);
    const stored = composeMessage(state, room, {
      author: say.user,
      from: world.people[say.user],
      content,
      replyTo: say.replyTo === undefined ? undefined : messageIn(room, say.replyTo),
      thread: say.thread === undefined ? undefined : threadIn(room, say.thread),
    });
    if (botSees(state, room, stored.message)) queue.push({ message: stored.message });
    return stored;
  }

  function own(id: string): { room: SandboxChatState; stored: Stored } {
    const found = world.find(id);
    if (found.stored.author !== 'you' && found.stored.author !== 'guest')
      throw new ParleyError(
        'not_a_users_message',
        `The message ${id} is the bot's; people change their own.`,
      );
    return found;
  }

  return {
    say(say) {
      const text = say.mention === true ? `@${world.bot.username} ${say.text}` : say.text;
      const { files = [] } = say;
      if (files.length === 0) return post(say, textContent(text));
      const album = files.length === 1 ? {} : { media_group_id: String(albums.next()) };
      const [first] = files.map((file, index) => {
        const caption = index === 0 ? captionContent(text) : {};
        return post(say, { ...mediaContent(state, file, mediaKindOf(file)), ...caption, ...album });
      });
      if (first === undefined) throw new ParleyError('no_file', 'An album without files.');
      return first;
    },
    sayFile: (say) =>
      post(say, { ...mediaContent(state, say, say.as ?? 'document'), ...captionContent(say.caption ?? '') }),
    post: (say, content) => post(say, content),
    edit(id, text) {
      const { room, stored } = own(id);
      const { text: _, entities: __, ...rest } = stored.message;
      stored.message = { ...rest, ...textContent(text), edit_date: world.seconds() };
      world.changed(room, stored);
      state.changed();
      if (botSees(state, room, stored.message)) queue.push({ edited_message: stored.message });
    },
    remove(id) {
      const { room, stored } = own(id);
      world.drop(room, stored);
      state.changed();
    },
    redeliver(id) {
      queue.push({ message: world.find(id).stored.message });
    },
    press(id, user, data) {
      const { stored, room } = world.find(id);
      const button = JSON.stringify(data);
      if (!JSON.stringify(stored.message.reply_markup ?? {}).includes(`"callback_data":${button}`))
        throw new ParleyError('no_such_button', `The message ${id} has no button with the data ${button}.`);
      const query = String(queries.next());
      state.openQueries.set(query, user);
      queue.push({
        callback_query: {
          id: query,
          from: world.people[user],
          message: stored.message,
          chat_instance: String(room.chat.id),
          data,
        },
      });
      return query;
    },
    stopDraft(user) {
      const room = world.room('dm', user);
      const { draft } = room;
      if (draft?.stop === undefined || draft.until <= state.clock.now())
        throw new ParleyError('no_such_button', `No draft with a stop button is shown to "${user}".`);
      room.stoppedDraft = draft.id;
      if (!draft.stop.save) room.draft = undefined;
      queue.push({ stopped_message_generation: { chat: room.chat, draft_id: draft.id } });
      state.changed();
    },
  };
}

function captionContent(raw: string): Partial<TgMessage> {
  const { text, entities } = cleanMessageText(raw, []);
  return {
    ...(text === '' ? {} : { caption: text }),
    ...(entities.length === 0 ? {} : { caption_entities: entities }),
  };
}

/** A person's words as the fields of a message. */
export function textContent(raw: string): Partial<TgMessage> {
  const { text, entities } = cleanMessageText(raw, []);
  if (text === '' || text.length > textLimit)
    throw new ParleyError(
      'invalid_text',
      `A person's text has 1 to ${textLimit} units, this has ${text.length}.`,
    );
  return { text, ...(entities.length === 0 ? {} : { entities }) };
}

/** The message of this chat with that id. */
export function messageIn(room: SandboxChatState, id: string): TgMessage {
  const found = messageAt(room, Number(id));
  if (found === undefined)
    throw new ParleyError('unknown_message', `The chat "${room.key}" has no message ${JSON.stringify(id)}.`);
  return found.message;
}

/** A topic, or the first message of a reply thread (which is no topic). */
function threadIn(room: SandboxChatState, id: string): number {
  if (room.topics.has(Number(id))) return Number(id);
  return messageIn(room, id).message_id;
}
