// Which methods the sandbox knows, by their lower-case names: Telegram's method names are case-insensitive.

import type { Method } from '#sandbox/telegram/world/state.ts';
import { answerCallbackQuery, sendChatAction, setMessageReaction } from './activity-methods.ts';
import {
  editForumTopic,
  getChat,
  getChatMember,
  getMe,
  getMyCommands,
  setMyCommands,
} from './chat-methods.ts';
import { getFile, sendDocument, sendPhoto, sendVoice } from './file-methods.ts';
import { deleteMessage, editMessageText, sendMessage, sendMessageDraft } from './send-methods.ts';
import { deleteWebhook, getUpdates, getWebhookInfo } from './update-methods.ts';

const known = {
  answerCallbackQuery,
  deleteMessage,
  deleteWebhook,
  editForumTopic,
  editMessageText,
  getChat,
  getChatMember,
  getFile,
  getMe,
  getMyCommands,
  getUpdates,
  getWebhookInfo,
  sendChatAction,
  sendDocument,
  sendMessage,
  sendMessageDraft,
  sendPhoto,
  sendVoice,
  setMessageReaction,
  setMyCommands,
};

export interface KnownMethod {
  name: string;
  run: Method;
}

/** The method with this name, however it is written, or undefined. */
export function findMethod(name: string): KnownMethod | undefined {
  const wanted = name.toLowerCase();
  const entry = Object.entries(known).find(([one]) => one.toLowerCase() === wanted);
  return entry === undefined ? undefined : { name: entry[0], run: entry[1] };
}
