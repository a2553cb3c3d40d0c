// Those who look at the program in a browser: a viewer, who reads what open rooms hold, and owners, whose looks leave a line in the audit.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { parseJson } from '#base/json.ts';
import type { Random } from '../harness/random.ts';
import { canary } from './repeating-model.ts';
import type { Running } from './running.ts';

/** Something that a browser was shown. */
export interface Seen {
  /** The request, or the stream. */
  path: string;
  words: string[];
}

export interface Onlookers {
  /** All that the viewer is shown now: lists, and the conversations that are new in them, or have gone from them. */
  view(): Promise<Seen[]>;
  /**
   * A new owner looks at something of another person's, in a random way. Gives what was shown if that holds words of a private conversation
   * and no line of the audit says so.
   */
  lookUnseen(random: Random): Promise<Seen | undefined>;
  /** Ends the streams; the next look signs in again. */
  leave(): Promise<void>;
}

const session = z.looseObject({
  id: z.string(),
  time: z.looseObject({ updated: z.number() }),
  place: z.looseObject({ audience: z.string(), private: z.boolean() }).optional(),
});
const sessions = z.array(session);

const wordsOf = (text: string): string[] => [...new Set(text.match(canary) ?? [])];

/** The onlookers of a running program; `onStreamed` gets what the viewer's stream sends, at once. */
export function onlookersOf(running: Running, onStreamed: (seen: Seen) => void): Onlookers {
  let viewer: { cookie: string; stop: AbortController; reading: Promise<void> } | undefined;
  let owners = 0;
  /** Sessions that the viewer was shown, and when they had changed then. */
  const known = new Map<string, number>();

  const send = async (path: string, headers: Record<string, string>, body?: object): Promise<Response> => {
    const { url } = running.parley();
    return fetch(`${url}${path}`, {
      headers: { 'content-type': 'application/json', origin: url, ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  };
  const signIn = async (role: 'viewer' | 'owner', name: string): Promise<string> => {
    const token = (await readFile(running.parley().tokenFile ?? '', 'utf8')).trim();
    const link = await send('/sign-in/link', { authorization: `Bearer ${token}` }, { role, name });
    const { key } = z.looseObject({ key: z.string() }).parse(await link.json());
    const signedIn = await send('/sign-in', {}, { key });
    return (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  };
  /** What a browser gets, as text; undefined where it is refused. */
  const shown = async (path: string, cookie: string, body?: object): Promise<string | undefined> => {
    const response = await send(path, { cookie }, body);
    const text = await response.text();
    return response.ok ? text : undefined;
  };
  const asViewer = async (): Promise<string> => {
    if (viewer !== undefined) return viewer.cookie;
    const cookie = await signIn('viewer', 'Vera');
    const stop = new AbortController();
    const response = await fetch(`${running.parley().url}/event`, {
      headers: { cookie },
      signal: stop.signal,
    });
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of response.body ?? []) {
        const words = wordsOf(decoder.decode(piece, { stream: true }));
        if (words.length > 0) onStreamed({ path: 'the stream', words });
      }
    })().catch(() => undefined); // it ends with the program, or is left
    viewer = { cookie, stop, reading };
    return cookie;
  };

  return {
    async view() {
      const cookie = await asViewer();
      const seen: Seen[] = [];
      const look = async (path: string): Promise<string | undefined> => {
        const text = await shown(path, cookie);
        if (text !== undefined) seen.push({ path, words: wordsOf(text) });
        return text;
      };
      const list = parseJson((await look('/session?page_size=100')) ?? '[]', sessions, 'The sessions');
      await look('/runs?page_size=100');
      const gone = new Set(known.keys());
      for (const { id, time } of list) {
        gone.delete(id);
        if (known.get(id) === time.updated) continue;
        known.set(id, time.updated);
        await look(`/session/${id}/message`);
      }
      for (const id of gone) {
        await look(`/session/${id}/message`);
        known.delete(id);
      }
      return seen;
    },
    async lookUnseen(random) {
      const all = await running.client().sessions.list({ page_size: 100 });
      const hidden = all.filter(({ place }) => place?.private === true);
      const one = hidden[random.int(0, Math.max(0, hidden.length - 1))];
      if (one?.place === undefined) return undefined;
      const { id } = one;
      const { audience } = one.place;
      const name = `Owner ${owners++}`;
      const cookie = await signIn('owner', name);
      const of = encodeURIComponent(audience);
      const paths = [
        `/session/${id}/fork`,
        `/session/${id}`,
        `/session/${id}/message`,
        `/session?ids=${id}`,
        `/runs?sessionID=${id}`,
        '/runs?page_size=100',
        `/memory?audience=${of}`,
      ] as const;
      let path: string = random.pick(paths);
      let text = await shown(path, cookie, path.endsWith('/fork') ? {} : undefined);
      let reader = name;
      if (path.endsWith('/fork') && text !== undefined) {
        // the copy is read by someone else
        const fork = parseJson(text, z.looseObject({ id: z.string() }), 'The fork').id;
        reader = `Owner ${owners++}`;
        path = `/session/${fork}/message`;
        text = await shown(path, await signIn('owner', reader));
        await running.client().sessions.delete(fork);
      }
      const words = wordsOf(path.startsWith('/runs?page') ? await answersOf(id, text) : (text ?? ''));
      if (words.length === 0) return undefined;
      const { events } = await running.client().memory.audit({ audience, limit: 1000 });
      return JSON.stringify(events).includes(`"${reader}"`) ? undefined : { path, words };
    },
    async leave() {
      viewer?.stop.abort();
      await viewer?.reading;
      viewer = undefined;
    },
  };
}

/** What a list of runs shows of one session. */
async function answersOf(id: string, text = '[]'): Promise<string> {
  const runs = parseJson(text, z.array(z.looseObject({ sessionID: z.string() })), 'The runs');
  return JSON.stringify(runs.filter(({ sessionID }) => sessionID === id));
}
