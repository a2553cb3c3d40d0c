// The folder of what people send: whole files under safe names, each content once.
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { codeOf, ParleyError } from '#base/errors.ts';
import { ensureFolder } from '#base/files/files.ts';
import type { UploadStorage } from '#engine/wire/channels/upload-storage.ts';
import { type Arrived, createFileArrivals, type Expected } from './arrivals.ts';
import { type Claim, type Sniffed, sniff } from './detect-type.ts';
import { folderName, safeName } from './safe-name.ts';

/** A file as it lies in the folder. */
interface StoredFile {
  /** `<channel>/<chat or user>/<time>_<name>`, with slashes, inside the folder. */
  path: string;
  /** The name that was given, made safe. */
  name: string;
  /** By its bytes. */
  mime: string;
  form: 'text' | 'other';
  bytes: number;
}

export interface Incoming extends Claim {
  /** The platform. */
  channel: string;
  /** The room's id, or the person's in a direct message. */
  place: string;
  /** When it was sent, in milliseconds since the epoch. */
  at: number;
  /** Bytes that it has, as the platform says: a page of just so many is the file, and no page to sign in. */
  size?: number | undefined;
}

export interface UploadStore extends UploadStorage {
  readonly folder: string;
  /** Bytes that one file may have. */
  readonly limitBytes: number;
  /**
   * Writes the stream's bytes, which survive a power cut under the path once it resolves; the same file again gives the same path. ParleyErrors `file_too_large`, `file_is_page` (a
   * web page came instead) and `file_empty` leave nothing behind, as does any failure of the stream or the disk.
   */
  save(stream: ReadableStream<Uint8Array>, incoming: Incoming, signal: AbortSignal): Promise<StoredFile>;
  /** The absolute path of a stored file, or undefined when it is not there (any more). */
  find(path: string): Promise<string | undefined>;
  /** The bytes of a stored file; undefined when it is not there or is larger than `maxBytes`. */
  read(path: string, maxBytes: number): Promise<Uint8Array | undefined>;
}

/** Bytes of one file where nobody says otherwise: 20 MiB, about what Telegram hands out to bots. */
export const defaultLimitBytes = 20 * 1024 * 1024;

/** Folders of the store itself; a channel's name never begins with a dot. */
export const contentFolder = '.content';
const arrivingFolder = '.arriving';
/** Names tried for files of one second and one name. */
const maxNames = 1000;
/** Codes of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']);

/** The store in `folder`, which is made when the first file comes. The processes of one home folder may share it. */
export function createUploadStore(options: {
  folder: string;
  /** Read with each file: it may change. */
  readonly limitBytes: number;
}): UploadStore {
  const { folder } = options;
  let ready: Promise<void> | undefined;

  const arrivals = createFileArrivals(join(folder, arrivingFolder));

  /** What a process left half-written when it died is nobody's; what another writes now has been written to a moment ago. */
  const prepare = async (): Promise<void> => {
    for (const name of ['', arrivingFolder, contentFolder]) ensureFolder(join(folder, name));
    await syncPath(dirname(folder));
    await arrivals.sweep();
  };
  const prepared = (): Promise<void> => {
    ready ??= prepare();
    return ready.catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
  };

  const inside = (path: string): string | undefined => {
    const absolute = resolve(folder, path);
    const hidden = path.split('/').some((segment) => segment.startsWith('.'));
    return absolute.startsWith(resolve(folder) + sep) && !hidden ? absolute : undefined;
  };

  const find = async (path: string): Promise<string | undefined> => {
    const absolute = inside(path);
    if (absolute === undefined) return undefined;
    const found = await stat(absolute).catch(() => undefined);
    return found?.isFile() === true ? absolute : undefined;
  };

  /** Writes a stream next to the files, then lets `place` make a file of it. */
  const arrive = async <T>(
    stream: ReadableStream<Uint8Array>,
    how: { signal: AbortSignal; expected?: Expected },
    place: (arrived: Arrived) => Promise<T>,
  ): Promise<T> => {
    await prepared();
    return arrivals.arrive(stream, { ...how, limitBytes: options.limitBytes }, place);
  };

  /** The path in the folder under which the arrived content lies after this. */
  const named = async (arrived: { path: string; hash: string }, wanted: string): Promise<string> => {
    const content = await settle(arrived.path, join(folder, contentFolder, arrived.hash));
    const place = dirname(wanted);
    await mkdir(join(folder, place), { recursive: true, mode: 0o700 });
    const name = await nameIt(content, { folder: join(folder, place), name: basename(wanted) });
    // the bytes are on the disk already; without their name, or a folder that another process made just now, they are lost
    for (const above of [place, dirname(place), '']) await syncPath(join(folder, above));
    return `${place}/${name}`;
  };

  return {
    folder,
    get limitBytes() {
      return options.limitBytes;
    },
    find,
    save: (stream, incoming, signal) =>
      arrive(stream, { signal }, async (arrived) => {
        const what = await sniff(arrived.path, incoming);
        if (arrived.bytes !== incoming.size) refusePage(what);
        const name = safeName(incoming.name, what.extension);
        const place = [folderName(incoming.channel), folderName(incoming.place)];
        const path = await named(arrived, [...place, timed(incoming.at, name)].join('/'));
        const form = what.form === 'other' ? 'other' : 'text';
        return { path, name, mime: what.mime, form, bytes: arrived.bytes };
      }),
    async holds(path, sha256) {
      const absolute = await find(path);
      if (absolute === undefined) return false;
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(absolute)) hash.update(chunk);
      return hash.digest('hex') === sha256;
    },
    async begun(sha256) {
      await prepared();
      return arrivals.begun(sha256);
    },
    async take(path, { stream, sha256, from = 0 }, signal) {
      if (inside(path) === undefined || path.split('/').length !== 3)
        throw new ParleyError('path_invalid', `Expected a path of three names, got "${path}".`);
      return arrive(stream, { signal, expected: { sha256, from } }, async (arrived) => {
        if (arrived.hash !== sha256)
          throw new ParleyError('file_damaged', 'it did not arrive as it was sent');
        return named(arrived, path);
      });
    },
    async read(path, maxBytes) {
      const absolute = await find(path);
      if (absolute === undefined || (await stat(absolute)).size > maxBytes) return undefined;
      return readFile(absolute);
    },
  };
}

function refusePage({ form }: Sniffed): void {
  if (form === 'page')
    throw new ParleyError('file_is_page', 'a web page came instead of the file, probably one to sign in');
}

/** The file under its content's name; where that is there already, or cannot be linked, the better of both. */
async function settle(arriving: string, content: string): Promise<string> {
  try {
    await link(arriving, content);
    return content;
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return content;
    if (noLinks.has(code)) return arriving;
    throw error;
  }
}

/** Gives the content a name in a folder without ever replacing another file; its name there. */
async function nameIt(content: string, { folder, name }: { folder: string; name: string }): Promise<string> {
  for (let number = 1; number <= maxNames; number += 1) {
    const wanted = number === 1 ? name : name.replace(/(\.[^.]*)?$/, `-${number}$1`);
    try {
      await put(content, join(folder, wanted));
      return wanted;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (await isSame(content, join(folder, wanted))) return wanted;
    }
  }
  throw new ParleyError('too_many_files', `There are ${maxNames} other files named ${name}.`);
}

async function put(content: string, path: string): Promise<void> {
  try {
    await link(content, path);
  } catch (error) {
    if (!noLinks.has(codeOf(error) ?? '')) throw error;
    await copyFile(content, path, constants.COPYFILE_EXCL);
    await syncPath(path);
  }
}

/** Resolves once the disk has the file, or the names in the folder. Windows opens no folder, and writes names down by itself. */
async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  if (a.ino === b.ino && a.dev === b.dev) return true;
  return a.size === b.size && (await readFile(one)).equals(await readFile(other));
}

/** `20260102T030405Z_name`. */
function timed(at: number, name: string): string {
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}_${name}`;
}
