// What is made due in a run of chaos with schedules: reminders, prompts, recurring jobs and webhooks, in every chat.
import { createHmac } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import type { Random } from '../harness/random.ts';

export interface Due {
  /** Is in the message and in no other. */
  token: string;
  platform: string;
  kind: 'text' | 'prompt';
  /** A recurring job: one message for each of its firings. */
  recurring: boolean;
  /** Of the schedule, or the name of the hook. */
  sourceID: string;
}

export interface Agenda {
  made: readonly Due[];
  /** Makes the hooks, and recurring jobs in some of the chats. */
  prepare(): Promise<void>;
  /** Makes the next thing due soon. */
  make(): Promise<void>;
  /** Ends the recurring jobs. */
  finish(): Promise<void>;
}

const token = 'token-of-this-run-only';
/** Requests that the program does not answer are sent again until then. */
const withinMs = 240_000;

interface Place {
  chat: string;
  person: string;
}

interface Hook {
  name: string;
  secret: string;
  platform: string;
  kind: Due['kind'];
}

/** Over the API at `url`. */
export function createAgenda({
  url,
  chats,
  random,
}: {
  url: string;
  chats: readonly Place[];
  random: Random;
}): Agenda {
  const made: Due[] = [];
  const hooks: Hook[] = [];
  const next = (): string => `tok${String(90_000 + made.length)}x${random.int(0x1000, 0xffff).toString(16)}`;
  const platformOf = ({ chat }: Place): string => chat.slice(0, chat.indexOf(':'));

  /** The same request until the engine has answered it. */
  const send = async (path: string, init: RequestInit): Promise<Record<string, unknown>> => {
    const until = Date.now() + withinMs;
    for (;;) {
      const answer = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(5_000) }).then(
        async (response) => ({ status: response.status, body: await response.text() }),
        () => undefined,
      );
      if (answer !== undefined && answer.status < 300) return JSON.parse(answer.body);
      const isPassing = answer === undefined || answer.status >= 500 || answer.status === 429;
      if (!isPassing || Date.now() > until)
        throw new Error(`${path} was answered with ${answer?.status}: ${answer?.body}`);
      await systemClock.sleep(200);
    }
  };
  const api = (path: string, body: object, key: string) =>
    send(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(body),
    });

  const schedule = async (place: Place, when: string, kind: Due['kind'], recurring: boolean) => {
    const mark = next();
    const { id } = await api('/schedule', { kind, when, text: `say ${mark}`, zone: 'UTC', ...place }, mark);
    made.push({ token: mark, platform: platformOf(place), kind, recurring, sourceID: String(id) });
  };

  const call = async ({ name, secret, platform, kind }: Hook): Promise<void> => {
    const mark = next();
    const body = `build ${mark}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    const proof: Record<string, string> = random.chance(0.5)
      ? { authorization: `Bearer ${secret}` }
      : { 'x-parley-timestamp': timestamp, 'x-parley-signature': `sha256=${signature}` };
    const init = { method: 'POST', headers: { ...proof, 'idempotency-key': mark }, body };
    await send(`/hook/${name}`, init);
    // as a program does that did not see the answer
    if (random.chance(0.3)) await send(`/hook/${name}`, init);
    made.push({ token: mark, platform, kind, recurring: false, sourceID: name });
  };

  return {
    made,
    async prepare() {
      for (const [at, place] of chats.entries()) {
        const kind = at % 2 === 0 ? 'text' : 'prompt';
        const name = `hook-${at}`;
        const { secret } = await api('/hooks', { name, kind, chat: place.chat, per_minute: 1_000 }, name);
        hooks.push({ name, secret: String(secret), platform: platformOf(place), kind });
        if (at % 3 === 0) await schedule(place, 'every minute', kind, true);
      }
    },
    async make() {
      if (random.chance(0.4)) return call(random.pick(hooks as [Hook, ...Hook[]]));
      const place = random.pick(chats as [Place, ...Place[]]);
      await schedule(place, `in ${random.int(1, 12)} seconds`, random.chance(0.7) ? 'text' : 'prompt', false);
    },
    async finish() {
      for (const { sourceID } of made.filter(({ recurring }) => recurring))
        await send(`/schedule/${sourceID}`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${token}` },
        });
    },
  };
}
