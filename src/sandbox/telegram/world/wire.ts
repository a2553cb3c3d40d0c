// The shapes of the Bot API that the sandbox speaks, as it writes them.

export interface TgUser {
  id: number;
  is_bot: boolean;
  first_name: string;
  last_name?: string | undefined;
  username?: string | undefined;
  language_code?: string | undefined;
}

export interface TgChat {
  id: number;
  type: 'private' | 'group' | 'supergroup' | 'channel';
  title?: string | undefined;
  username?: string | undefined;
  first_name?: string | undefined;
  last_name?: string | undefined;
  is_forum?: true | undefined;
  is_direct_messages?: true | undefined;
}

export type TgChatMember = { user: TgUser } & (
  | { status: 'creator'; is_anonymous: boolean }
  | ({ status: 'administrator'; can_be_edited: boolean; is_anonymous: boolean } & Record<
      `can_${string}`,
      boolean
    >)
  | { status: 'member' | 'left' }
  | { status: 'kicked'; until_date: number }
);

interface TgChatMemberUpdated {
  chat: TgChat;
  from: TgUser;
  /** In seconds. */
  date: number;
  old_chat_member: TgChatMember;
  new_chat_member: TgChatMember;
}

export interface TgEntity {
  type: string;
  /** In UTF-16 units, like `length`. */
  offset: number;
  length: number;
  url?: string | undefined;
  language?: string | undefined;
  user?: TgUser | undefined;
  custom_emoji_id?: string | undefined;
}

export interface TgFile {
  file_id: string;
  file_unique_id: string;
  file_size?: number | undefined;
  file_name?: string | undefined;
  mime_type?: string | undefined;
}

export interface TgPhotoSize {
  file_id: string;
  file_unique_id: string;
  width: number;
  height: number;
  file_size?: number | undefined;
}

interface Frame {
  width: number;
  height: number;
}

interface Lasting {
  /** In seconds. */
  duration: number;
}

interface TgSticker extends TgFile, Frame {
  type: 'regular';
  is_animated: boolean;
  is_video: boolean;
  emoji?: string | undefined;
}

export interface TgMessage {
  message_id: number;
  message_thread_id?: number | undefined;
  direct_messages_topic?: { topic_id: number; user?: TgUser | undefined } | undefined;
  from?: TgUser | undefined;
  sender_chat?: TgChat | undefined;
  chat: TgChat;
  date: number;
  edit_date?: number | undefined;
  is_topic_message?: true | undefined;
  reply_to_message?: TgMessage | undefined;
  text?: string | undefined;
  entities?: TgEntity[] | undefined;
  link_preview_options?: Record<string, unknown> | undefined;
  caption?: string | undefined;
  caption_entities?: TgEntity[] | undefined;
  document?: TgFile | undefined;
  photo?: TgPhotoSize[] | undefined;
  animation?: (TgFile & Frame & Lasting) | undefined;
  audio?: (TgFile & Lasting) | undefined;
  video?: (TgFile & Frame & Lasting) | undefined;
  video_note?: (TgFile & Lasting & { length: number }) | undefined;
  voice?: (TgFile & Lasting) | undefined;
  sticker?: TgSticker | undefined;
  media_group_id?: string | undefined;
  location?: { latitude: number; longitude: number } | undefined;
  contact?: { phone_number: string; first_name: string } | undefined;
  poll?: Record<string, unknown> | undefined;
  forward_origin?: Record<string, unknown> | undefined;
  is_automatic_forward?: true | undefined;
  author_signature?: string | undefined;
  business_connection_id?: string | undefined;
  external_reply?: Record<string, unknown> | undefined;
  quote?: { text: string; position: number; is_manual?: true } | undefined;
  reply_markup?: Record<string, unknown> | undefined;
  forum_topic_created?: { name: string; icon_color: number } | undefined;
  forum_topic_edited?: { name: string } | undefined;
  new_chat_members?: TgUser[] | undefined;
  left_chat_member?: TgUser | undefined;
  new_chat_title?: string | undefined;
  migrate_to_chat_id?: number | undefined;
  migrate_from_chat_id?: number | undefined;
}

interface TgCallbackQuery {
  id: string;
  from: TgUser;
  message: TgMessage;
  chat_instance: string;
  data: string;
}

export interface TgReaction {
  type: 'emoji';
  emoji: string;
}

interface TgMessageReactionUpdated {
  chat: TgChat;
  message_id: number;
  user: TgUser;
  /** In seconds. */
  date: number;
  old_reaction: TgReaction[];
  new_reaction: TgReaction[];
}

interface TgBusinessConnection {
  id: string;
  user: TgUser;
  user_chat_id: number;
  date: number;
  is_enabled: boolean;
}

export interface TgUpdate {
  update_id: number;
  message?: TgMessage | undefined;
  edited_message?: TgMessage | undefined;
  channel_post?: TgMessage | undefined;
  business_connection?: TgBusinessConnection | undefined;
  business_message?: TgMessage | undefined;
  callback_query?: TgCallbackQuery | undefined;
  message_reaction?: TgMessageReactionUpdated | undefined;
  my_chat_member?: TgChatMemberUpdated | undefined;
  chat_member?: TgChatMemberUpdated | undefined;
  /** Bot API 10.3. */
  stopped_message_generation?: { chat: TgChat; message_thread_id?: number; draft_id: number } | undefined;
}
