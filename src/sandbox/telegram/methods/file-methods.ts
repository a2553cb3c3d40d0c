// sendDocument, sendPhoto, sendVoice and getFile. Photos are PNG here: the sandbox measures no other format.
import { documentOf, photoOf, pngSize } from '#sandbox/telegram/world/file-shelf.ts';
import { mediaContent } from '#sandbox/telegram/world/media-content.ts';
import { badRequest } from '#sandbox/telegram/world/refusal.ts';
import { type Call, type Method, type State, writableChatOf } from '#sandbox/telegram/world/state.ts';
import type { TgMessage } from '#sandbox/telegram/world/wire.ts';
import { captionFields, postByBot } from './send-methods.ts';

/** Bots may send photos of up to 10 MB and download files of up to 20 MB. */
const photoLimit = 10 * 1024 * 1024;
const downloadLimit = 20 * 1024 * 1024;

function post(state: State, { params }: Call, media: () => Partial<TgMessage>): TgMessage {
  const room = writableChatOf(state, params);
  return postByBot(state, room, params, { ...media(), ...captionFields(params) });
}

export const sendDocument: Method = (state, call) =>
  post(state, call, () => {
    const upload = call.params.upload('document');
    const known = state.files.byID(call.params.raw('document'));
    if (upload === undefined && known === undefined) throw badRequest('there is no document in the request');
    if (upload?.bytes.length === 0) throw badRequest('file must be non-empty');
    const file = upload === undefined ? known : state.files.put('documents', upload);
    return file === undefined ? {} : { document: documentOf(file) };
  });

export const sendPhoto: Method = (state, call) =>
  post(state, call, () => {
    const upload = call.params.upload('photo');
    if (upload === undefined) throw badRequest('there is no photo in the request');
    if (upload.bytes.length > photoLimit) throw badRequest('file is too big');
    const size = pngSize(upload.bytes);
    if (size === undefined) throw badRequest('IMAGE_PROCESS_FAILED');
    if (size.width + size.height > 10_000) throw badRequest('PHOTO_INVALID_DIMENSIONS');
    return { photo: [photoOf(state.files.put('photos', upload), size)] };
  });

/** "sendVoice": an Ogg file encoded with Opus; of other kinds Telegram makes a document. */
export const sendVoice: Method = (state, call) =>
  post(state, call, () => {
    const upload = call.params.upload('voice');
    if (upload === undefined) throw badRequest('there is no voice in the request');
    if (upload.bytes.length === 0) throw badRequest('file must be non-empty');
    if (Buffer.from(upload.bytes.subarray(0, 4)).toString('latin1') !== 'OggS')
      return { document: documentOf(state.files.put('documents', upload)) };
    return mediaContent(state, { ...upload, mime: 'audio/ogg' }, 'voice');
  });

export const getFile: Method = (state, { params }) => {
  const id = params.text('file_id');
  if (id === undefined) throw badRequest('file_id not specified');
  const file = state.files.byID(id);
  if (file === undefined) throw badRequest('wrong file_id or the file is temporarily unavailable');
  const size = file.upload.bytes.length;
  if (size > downloadLimit) throw badRequest('file is too big');
  return { file_id: file.id, file_unique_id: file.uniqueID, file_size: size, file_path: file.path };
};
