// sendMessage, editMessageText, deleteMessage and sendMessageDraft, with Telegram's checks and words.
import { z } from 'zod';
import { cleanMessageText, type FormattedText } from '#sandbox/telegram/entities/entity-cleaning.ts';
import { readEntity } from '#sandbox/telegram/entities/read-entity.ts';
import { composeMessage } from '#sandbox/telegram/world/compose-message.ts';
import type { Params } from '#sandbox/telegram/world/params.ts';
import { badRequest } from '#sandbox/telegram/world/refusal.ts';
import {
  isLeftBehind,
  type Method,
  messageOf,
  type State,
  tellOfBot,
  threadToPostIn,
  writableChatOf,
} from '#sandbox/telegram/world/state.ts';
import type { TgMessage } from '#sandbox/telegram/world/wire.ts';
import { messageAt, type SandboxChatState } from '#sandbox/telegram/world/world.ts';

const textLimit = 4096;
const captionLimit = 1024;
const draftLifetimeMs = 30_000;
/** A message can be deleted for this long after it was sent (Bot API, deleteMessage). */
const deletableSeconds = 48 * 3600;

const replyParameters = z.object({
  message_id: z.int(),
  allow_sending_without_reply: z.boolean().optional(),
});

const linkPreview = z.object({
  is_disabled: z.boolean().optional(),
  url: z.string().optional(),
  prefer_small_media: z.boolean().optional(),
  prefer_large_media: z.boolean().optional(),
  show_above_text: z.boolean().optional(),
});

const keyboard = z.object({
  inline_keyboard: z.array(
    z.array(
      z.object({
        text: z.string().min(1),
        callback_data: z.string().min(1).max(64).optional(),
        url: z.string().optional(),
      }),
    ),
  ),
});

/** The text and entities of a call, cleaned; a text of nothing but whitespace comes out empty. */
function formatted(params: Params, names: { text: string; entities: string }): FormattedText {
  const text = params.raw(names.text);
  refuseMarkup(params, text);
  const listed = params.json(names.entities, z.array(z.unknown()), "can't parse entities JSON object") ?? [];
  return cleanMessageText(
    text,
    listed.flatMap((one) => readEntity(one) ?? []),
  );
}

/** The sandbox reads `entities` only; a text that a parse mode would change is refused instead of shown wrongly. */
function refuseMarkup(params: Params, text: string): void {
  const mode = params.text('parse_mode')?.toLowerCase();
  if (mode === undefined || mode === 'none') return;
  if (mode !== 'html' && !mode.startsWith('markdown')) throw badRequest('unsupported parse_mode');
  const markup = mode === 'html' ? /[<>&]/ : /[_*[\]()~`>#+\-=|{}.!]/;
  if (markup.test(text))
    throw badRequest("can't parse entities: the sandbox reads only the entities parameter");
}

function messageText(params: Params): FormattedText {
  const result = formatted(params, { text: 'text', entities: 'entities' });
  if (result.text === '') throw badRequest('message text is empty');
  if (result.text.length > textLimit) throw badRequest('message is too long');
  return result;
}

/** A caption with its entities as fields of a message; nothing when it is empty. */
export function captionFields(params: Params): Partial<TgMessage> {
  const { text, entities } = formatted(params, { text: 'caption', entities: 'caption_entities' });
  if (text.length > captionLimit) throw badRequest('message caption is too long');
  return {
    ...(text === '' ? {} : { caption: text }),
    ...(entities.length === 0 ? {} : { caption_entities: entities }),
  };
}

function textFields(params: Params): Partial<TgMessage> {
  const { text, entities } = messageText(params);
  const preview = params.json(
    'link_preview_options',
    linkPreview,
    "can't parse link preview options JSON object",
  );
  const markup = params.json('reply_markup', keyboard, "can't parse reply keyboard markup JSON object");
  return {
    text,
    ...(entities.length === 0 ? {} : { entities }),
    ...(preview === undefined ? {} : { link_preview_options: preview }),
    ...(markup === undefined ? {} : { reply_markup: markup }),
  };
}

/** The message that is answered, by `reply_parameters`. */
function repliedMessage(room: SandboxChatState, params: Params): TgMessage | undefined {
  const words = "can't parse reply parameters JSON object";
  const wanted = params.json('reply_parameters', replyParameters, words);
  if (wanted === undefined) return undefined;
  const stored = messageAt(room, wanted.message_id);
  const found = stored === undefined || isLeftBehind(room, stored) ? undefined : stored.message;
  if (found === undefined && wanted.allow_sending_without_reply !== true)
    throw badRequest('message to be replied not found');
  return found;
}

export const sendMessage: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  const content = textFields(params);
  return postByBot(state, room, params, content);
};

/** Posts as the bot, in the topic and in reply to the message that the parameters name. */
export function postByBot(
  state: State,
  room: SandboxChatState,
  params: Params,
  content: Partial<TgMessage>,
): TgMessage {
  const thread = threadToPostIn(room, params);
  const replyTo = repliedMessage(room, params);
  const direct = directTopic(room, params);
  const composition = { author: 'bot', from: state.world.bot, replyTo, thread } as const;
  return composeMessage(state, room, { ...composition, content: { ...content, ...direct } }).message;
}

/** In a channel's direct messages every message belongs to the topic of one person, which a call must name (Bot API, sendMessage). */
function directTopic(room: SandboxChatState, params: Params): Pick<TgMessage, 'direct_messages_topic'> {
  if (room.directTo === undefined) return {};
  const id = params.integer('direct_messages_topic_id') ?? 0;
  const user = room.directTo.topics.get(id);
  if (user === undefined) throw badRequest('direct messages topic not found');
  return { direct_messages_topic: { topic_id: id, user } };
}

export const editMessageText: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  const stored = messageOf(room, params, 'message to edit not found');
  if (stored.author !== 'bot') throw badRequest("message can't be edited");
  if (stored.message.text === undefined) throw badRequest('there is no text in the message to edit');
  const content = textFields(params);
  const { text, entities, link_preview_options, reply_markup, ...rest } = stored.message;
  const same = [
    [content.text, text],
    [content.entities, entities],
    [content.reply_markup, reply_markup],
  ].every(([now, before]) => JSON.stringify(now) === JSON.stringify(before));
  if (same)
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  stored.message = { ...rest, ...content, edit_date: state.world.seconds() };
  state.world.changed(room, stored);
  state.changed();
  tellOfBot(state, room, stored);
  return stored.message;
};

export const deleteMessage: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  const stored = messageOf(room, params, 'message to delete not found');
  const young = state.world.seconds() - stored.message.date < deletableSeconds;
  const mayDelete = young && (stored.author === 'bot' || room.chat.type === 'private');
  if (!mayDelete) throw badRequest("message can't be deleted");
  state.world.drop(room, stored);
  state.changed();
  return true;
};

export const sendMessageDraft: Method = (state, { params }) => {
  const room = writableChatOf(state, params);
  if (room.chat.type !== 'private') throw badRequest('TEXTDRAFT_PEER_INVALID');
  const id = params.integer('draft_id');
  if (id === undefined || id === 0) throw badRequest('invalid draft_id specified');
  threadToPostIn(room, params);
  const { text, entities } = formatted(params, { text: 'text', entities: 'entities' });
  if (text.length > textLimit) throw badRequest('message is too long');
  if (room.stoppedDraft === id) return true; // the button ends further drafts of this answer
  const until = state.clock.now() + draftLifetimeMs;
  const stop = params.flag('can_stop') ? { save: params.flag('keep_on_stop') } : undefined;
  room.draft = { id, text: text === '' ? 'Thinking…' : text, entities, until, stop };
  state.changed();
  state.changedIn(draftLifetimeMs);
  return true;
};
