// What a message carries besides text: files by reference, and things that are best put in words.
import type { ExternalReplyInfo, Message } from 'grammy/types';
import type { FileRef } from '#adapters/gateway/terms/inbound.ts';

/** A message, or one of another chat that is answered: its content has the same names. */
export type Content = Message | ExternalReplyInfo;

/** Everything that `getFile` can fetch; of a photo the largest size. */
export function filesOf(message: Content): FileRef[] {
  const { photo, animation, document, video, audio, voice, video_note: note, sticker } = message;
  const largest = photo?.at(-1);
  // An animation comes with a `document` field that is the same file.
  const named = [animation ?? document, video, audio].filter((file) => file !== undefined);
  return [
    ...(largest === undefined
      ? []
      : [{ id: largest.file_id, name: 'photo.jpg', mime: 'image/jpeg', size: largest.file_size }]),
    ...named.map((file) => ({
      id: file.file_id,
      name: file.file_name,
      mime: file.mime_type,
      size: file.file_size,
      ...(file === audio && { seconds: audio.duration }),
    })),
    ...(voice === undefined
      ? []
      : [
          {
            id: voice.file_id,
            name: 'voice message.ogg',
            mime: voice.mime_type,
            size: voice.file_size,
            voice: true as const,
            seconds: voice.duration,
          },
        ]),
    ...(note === undefined
      ? []
      : [{ id: note.file_id, name: 'video message.mp4', mime: 'video/mp4', size: note.file_size }]),
    ...(sticker === undefined
      ? []
      : [{ id: sticker.file_id, name: stickerName(sticker), size: sticker.file_size }]),
  ];
}

/** `sticker 👍.webp`; animated ones are compressed Lottie, video ones WebM. */
function stickerName(sticker: NonNullable<Message['sticker']>): string {
  const ending = sticker.is_animated ? 'tgs' : sticker.is_video ? 'webm' : 'webp';
  return `${['sticker', sticker.emoji].filter(Boolean).join(' ')}.${ending}`;
}

/** A place, contact, poll or dice as one line, and what bots cannot open as text that says so; undefined when the message has none. */
export function describedContent(message: Content): string | undefined {
  const { venue, location, contact, poll, dice, checklist } = message;
  if (venue !== undefined) return `venue: ${venue.title}, ${venue.address}`;
  if (location !== undefined) return `location: ${location.latitude}, ${location.longitude}`;
  if (contact !== undefined)
    return `contact: ${[contact.first_name, contact.last_name, contact.phone_number].filter(Boolean).join(' ')}`;
  if (poll !== undefined)
    return `poll: ${poll.question} ${poll.options.map(({ text }) => `(${text})`).join(' ')}`;
  if (checklist !== undefined) {
    const tasks = checklist.tasks.map(
      ({ text, completion_date: done }) => `${done === undefined || done === 0 ? '[ ]' : '[x]'} ${text}`,
    );
    return [`checklist: ${checklist.title}`, ...tasks].join('\n');
  }
  return dice === undefined ? closedContent(message) : `dice: ${dice.emoji} ${dice.value}`;
}

/** What Telegram announces to bots and does not show them. */
function closedContent({ story, paid_media: paid, giveaway, game, invoice }: Content): string | undefined {
  if (story !== undefined)
    return `a story of ${story.chat.title ?? story.chat.first_name ?? 'someone'}, which bots cannot open`;
  if (paid !== undefined)
    return `${paid.paid_media.length} paid pictures or videos (${paid.star_count} stars), which bots cannot open`;
  if (giveaway !== undefined) return `a giveaway with ${giveaway.winner_count} winners`;
  if (game !== undefined) return `a game: ${game.title}, ${game.description}`;
  return invoice === undefined ? undefined : `an invoice: ${invoice.title}, ${invoice.description}`;
}
