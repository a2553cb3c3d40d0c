// One file as one Telegram message: pictures as photos and speech as voice messages while Telegram takes them so, all else as a document.
import { type Api, GrammyError, InputFile } from 'grammy';
import { type OutgoingFile, readFileBytes } from '#adapters/gateway/terms/file-part.ts';
import { defined } from '#base/json.ts';
import { forGrammy } from './calls/client.ts';

/** Bots may send files of up to 50 MB, photos of up to 10 MB (Bot API, "Sending files"). */
export const fileLimit = 50_000_000;
const photoLimit = 10_000_000;
const photo = /^image\/(png|jpeg|webp)$/;
/** Telegram's errors for pictures that it does not accept as photos: too long or wide, or of another format. */
const noPhoto = /PHOTO_INVALID_DIMENSIONS|IMAGE_PROCESS_FAILED|PHOTO_EXT_INVALID|PHOTO_SAVE_FILE_INVALID/;

/** A person may forbid voice messages. */
const noVoice = /VOICE_MESSAGES_FORBIDDEN/;

interface FileTarget {
  chat: number;
  /** Thread and reply. */
  other: object;
  signal: AbortSignal | undefined;
}

/**
 * Sends a file and resolves with the message's id. When Telegram refuses it as a photo or a voice message (which posts nothing), it is
 * sent as a document.
 */
export async function sendFile(
  api: Api,
  file: OutgoingFile,
  { chat, other, signal }: FileTarget,
): Promise<number> {
  const bytes = await readFileBytes(file);
  const input = (): InputFile => new InputFile(bytes, file.name);
  const options = defined({ ...other, caption: file.caption });
  if (photo.test(file.mime) && file.bytes <= photoLimit) {
    try {
      return (await api.sendPhoto(chat, input(), options, forGrammy(signal))).message_id;
    } catch (error) {
      if (!(error instanceof GrammyError) || !noPhoto.test(error.description)) throw error;
    }
  }
  // Ogg with Opus is what Telegram plays as a voice message (Bot API, sendVoice)
  if (file.voice === true && file.mime === 'audio/ogg') {
    try {
      return (await api.sendVoice(chat, input(), options, forGrammy(signal))).message_id;
    } catch (error) {
      if (!(error instanceof GrammyError) || !noVoice.test(error.description)) throw error;
    }
  }
  return (await api.sendDocument(chat, input(), options, forGrammy(signal))).message_id;
}
