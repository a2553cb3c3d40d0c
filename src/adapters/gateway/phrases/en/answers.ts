// English: notes that are added to an answer, or replace one that failed.
import { formsOf } from '#adapters/gateway/phrases/forms.ts';

const { about, and, count, length, minute, number, size } = formsOf('en');

export const answers = {
  stopped: '(stopped)',
  interrupted: 'I was interrupted before I could answer. Please send that again.',
  withReference: ({ sentence, ref }: { sentence: string; ref: string }) => `${sentence} (reference ${ref})`,
  failed: ({ ref }: { ref: string }) =>
    `⚠️ Something went wrong on my side. Please send that again (reference ${ref}).`,
  /** By the code of a run's failure. */
  failures: {
    AUTHENTICATION_ERROR: 'My model provider refused my key. The person who runs me has to check it.',
    PROVIDER_BILLING:
      'My account at the model provider has no credit left. The person who runs me has to look at its billing.',
    RATE_LIMIT_EXCEEDED:
      'My model provider is getting too many requests right now. Please try again in a minute.',
    CONTEXT_LENGTH_EXCEEDED:
      'This conversation or message is too long for my model. Please write less, or start a new conversation.',
    MODEL_NOT_FOUND: 'My configured model does not exist. The person who runs me has to choose another.',
    PROVIDER_REQUEST_INVALID:
      'My model provider did not accept the request. Please try again, or ask the person who runs me.',
    PROVIDER_SERVER_ERROR: 'My model provider has a problem right now. Please try again later.',
    PROVIDER_UNREACHABLE: 'I cannot reach my model provider right now. Please try again later.',
    PROVIDER_RESPONSE_INVALID: 'My model provider sent something that is not an answer. Please try again.',
    PROVIDER_STREAM_BROKEN: 'My answer broke off before it was complete. Please try again.',
    EMPTY_ANSWER: 'My model ended without an answer. Please try again.',
    CONTENT_FILTERED: 'My model provider withheld the answer. Please ask in another way.',
    OUTPUT_TOO_LONG: 'My answer became too long and was stopped. Please ask for less at once.',
    NO_TOOL_TO_CALL: 'I needed a tool for this answer, and may not use any here.',
    ENGINE_TIMEOUT: 'My answer took too long and was stopped. Please ask for less at once.',
    ENGINE_DISPATCH_FAILED: 'Something went wrong on my side. Please send that again.',
    INTERRUPTED: 'I was stopped while I was answering. Please send that again.',
  },
  tooManyRequests: ({ waitMs }: { waitMs: number }) =>
    `My model provider is getting too many requests. Please try again in about ${about(waitMs)}.`,
  longerThanWindow: ({ tokens, window }: { tokens: number; window: number }) =>
    `That is too long for my model: about ${number(tokens)} tokens, and it reads ${number(window)} at once. Please send it in parts.`,
  neverBegan: ({ seconds }: { seconds: number }) =>
    `My model did not begin to answer within ${count(seconds, { one: 'second', other: 'seconds' })}. Please try again in a minute; if it stays like this, the person who runs me has to look at it.`,
  wentSilent: ({ seconds }: { seconds: number }) =>
    `My model went silent in the middle of this answer: nothing came for ${count(seconds, { one: 'second', other: 'seconds' })}. Please send that again.`,
  cutOff:
    'My answer was cut off here: it reached the longest that my model may write. Write “continue”, and I go on.',
  withheld: 'My model provider withheld the rest of the answer. Ask in another way, or write “continue”.',
  picturesUnseen: ({ files }: { files: readonly string[] }) =>
    `My model cannot see pictures, so I answered without ${and(files)}.`,
  picturesTooMany: ({ files }: { files: readonly string[] }) =>
    `Only the newest pictures go to my model at once, so I answered without ${and(files)}.`,
  picturesUnreadable: ({ files }: { files: readonly string[] }) =>
    `My model cannot read ${and(files)}, so I answered without that.`,
  withoutHistory: 'My model refused what was said before, so I answered this message alone.',
  late: ({ atMs }: { atMs: number }) => `Your message of ${minute(atMs)} only reached me now.`,
  newConversation: 'I no longer have our earlier conversation here, so this is a new one.',
  agentGone: ({ agent }: { agent: string }) =>
    `The assistant ${agent} no longer exists, so another one answers.`,
  stillWorking: 'Still working on this.',
  comesNext: 'I am still working on something else. Your message comes next.',
  couldNotPost: ({ why }: { why: string }) => `⚠️ I could not post my answer to you. ${why}`,
  couldNotPostIn: ({ room, why }: { room: string; why: string }) =>
    `⚠️ I could not post my answer to you in ${room}. ${why}`,
  ephemeralLost:
    'I could not show my answer to a command only to the person who sent it, so I do not show it here. Please send the command again.',
  mayBeRepeat: '(This may be a repeat.)',
  connectionEnded: ({ platform, why }: { platform: string; why: string }) =>
    `⚠️ ${platform} has ended my connection, and someone has to fix it: ${why}`,
  connectionWaits: 'Everything that waits there is saved, and I continue once the connection works.',
  memoryDamaged: ({ why }: { why: string }) => `⚠️ I cannot open my memory and continue without it: ${why}`,
  memoryDamagedLater: 'Once it is repaired and I am restarted, I also remember what you write until then.',
  businessRefused:
    'You connected me to your business account, but I do not read or answer its chats. Please disconnect me (Settings, Telegram Business, Chatbots) and talk to me here.',

  gaveUp: ({ file, platform, why }: { file?: string | undefined; platform: string; why: string }) =>
    `⚠️ I gave up sending ${file === undefined ? 'a part of an answer' : `the file \`${file}\``} on ${platform}, which refused it again and again: ${why}. The person was told, and everything else was sent.`,
  changeRefused: ({ why }: { why: string }) =>
    `⚠️ My memory refuses a change again and again: ${why}. A message was edited or deleted, and until I succeed, its old words may still be recalled.`,
  eventPassedBy: ({ platform, why }: { platform: string; why: string }) =>
    `⚠️ Something that happened on ${platform} could not be taken in, again and again: ${why}. I have passed it by and go on with what came after it; the log says what it was.`,
  partUnsent: ({ why }: { why: string }) => `⚠️ I could not send a part of my answer here: ${why}.`,
  unsent: ({ name, why }: { name: string; why: string }) =>
    `⚠️ I made \`${name}\`, but could not send it: ${why}.`,
  moreUnsent: ({ n }: { n: number }) =>
    `⚠️ I made ${count(n, { one: 'more file', other: 'more files' })} than I can send with one answer.`,
  cannotSendHere: 'files cannot be sent here',
  notBroughtInTime: 'it did not arrive here in time',
  stoppedBefore: 'you stopped me before it arrived here',
  missing: 'it no longer exists',
  empty: 'it is empty',
  tooLargeToSend: ({ bytes, limitBytes }: { bytes: number; limitBytes: number }) =>
    `it has ${size(bytes)}, and at most ${size(limitBytes)} can be sent here`,
  notTaken: ({ name, why }: { name: string; why: string }) => `I could not take \`${name}\`: ${why}.`,
  cannotFetch: 'files cannot be fetched from there',
  tooLargeToTake: ({ bytes, limitBytes }: { bytes: number; limitBytes: number }) =>
    `it has ${size(bytes)}, and I take at most ${size(limitBytes)}`,
  tooLargeUnmeasured: ({ limitBytes }: { limitBytes: number }) =>
    `it is larger than the ${size(limitBytes)} that I take`,
  webPage: 'a web page came instead of the file, probably one to sign in',
  noSpace: 'there is no space left on my side',
  notWritable: 'it cannot be saved on my side',
  notReadable: ({ name, mime, bytes }: { name: string; mime: string; bytes: number }) =>
    `I cannot look into \`${name}\` (${mime}, ${size(bytes)}); I only know that it came.`,
  noSpeech: ({ name }: { name: string }) => `I hear no words in \`${name}\`.`,
  noTranscription: ({ name }: { name: string }) =>
    `I cannot listen to \`${name}\`, because no transcription model is set up. Write it, or ask the person who runs me to set \`channels.voice\`.`,
  tooLongToHear: ({ name, seconds, bytes }: { name: string; seconds: number; bytes: number }) =>
    `\`${name}\` is too long for me: I listen to at most ${length(seconds)} and ${size(bytes)}. Send it in parts, or write it.`,
  notHeard: ({ name, why }: { name: string; why: string }) => `I could not listen to \`${name}\`: ${why}`,
  cut: ({ name, bytes }: { name: string; bytes: number }) =>
    `I only read the beginning of \`${name}\`; ${size(bytes)} were left out.`,
  cutText: ({ name }: { name: string }) => `I only read the beginning of \`${name}\`; the rest is too long.`,
  cutParts: ({ name, read, of }: { name: string; read: number; of: number }) =>
    `I only read the beginning of \`${name}\`, ${number(read)} of its ${number(of)} pages or parts; the rest is too long.`,
  unread: ({ name, why }: { name: string; why: string }) => `I could not read \`${name}\`: ${why}.`,
  /** Why a document cannot be read, as the rest of a sentence. */
  unreadBecause: {
    password: 'it is protected with a password. Send it without one',
    damaged: 'it is damaged, or did not come whole',
    'no text': 'there is no text in it',
    'only pictures':
      'there is no text in it, only pictures, as in a scan. Send the pages as pictures, or a copy with recognised text',
    'unpacks too large': 'it unpacks to far more than I read',
    'too much work': 'that takes more time or memory than I may use',
    'old format': 'that is the format of old Office programs. Save it as DOCX, XLSX, PPTX or PDF',
    encoding: 'I cannot tell in which encoding its characters are. Save it as UTF-8',
  },
  unusualPicture: ({ name, format }: { name: string; format: string }) =>
    `My model cannot see pictures in the format ${format}, such as \`${name}\`. Send it as JPEG or PNG.`,
};
