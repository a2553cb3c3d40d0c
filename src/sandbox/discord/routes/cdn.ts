// Discord's CDN: attachments under signed links that run out, and the call that renews them. Messages are elsewhere.
import { createHmac, randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import type { Attachment, World } from '#sandbox/discord/world/world.ts';
import { parseBody } from './message-body.ts';
import { invalidField } from './refusal.ts';

interface Cdn {
  /** The link as messages carry it: valid for a day. */
  urlOf(attachment: Attachment): string;
  /** The CDN itself, at `/attachments/`: no token, only the link. */
  files: Hono;
  /** The API's route that renews links. */
  routes: Hono;
  /** Every link that was given out so far is refused after this. */
  expire(): void;
}

const lifeMs = 24 * 3600_000;
/** What the CDN says of a link that ran out or was never signed. */
const gone = 'This content is no longer available.';

const refreshBody = z.looseObject({ attachment_urls: z.array(z.url()).min(1).max(50) });

/** A CDN over the world's messages; `origin` is the server's own. */
export function createCdn({ world, clock, origin }: { world: World; clock: Clock; origin(): string }): Cdn {
  let secret = randomBytes(32);
  const files = new Hono();
  const routes = new Hono();

  const signature = (path: string, ex: string, is: string): string =>
    createHmac('sha256', secret).update(`${path}?ex=${ex}&is=${is}`).digest('hex');

  const sign = (path: string): string => {
    const ex = Math.floor((clock.now() + lifeMs) / 1000).toString(16);
    const is = Math.floor(clock.now() / 1000).toString(16);
    return `${origin()}${path}?ex=${ex}&is=${is}&hm=${signature(path, ex, is)}&`;
  };

  const pathOf = ({ channelID, id, name }: Attachment): string =>
    `/attachments/${channelID}/${id}/${encodeURIComponent(name.replaceAll(/[^\w.-]+/g, '_'))}`;

  const attachmentAt = (path: string): Attachment | undefined => {
    const [, , channelID = ''] = path.split('/');
    for (const { attachments } of world.messages.get(channelID) ?? [])
      for (const one of attachments) if (pathOf(one) === path) return one;
    return undefined;
  };

  files.get('/attachments/*', (c) => {
    const { ex = '', is = '', hm = '' } = c.req.query();
    const path = new URL(c.req.url).pathname;
    const found = attachmentAt(path);
    const valid = hm === signature(path, ex, is) && Number.parseInt(ex, 16) * 1000 > clock.now();
    if (found === undefined || !valid) return c.text(gone, 404);
    return new Response(new Uint8Array(found.bytes), { headers: { 'content-type': found.mime } });
  });

  routes.post('/attachments/refresh-urls', async (c) => {
    const body = refreshBody.safeParse(parseBody(await c.req.text()));
    if (!body.success)
      throw invalidField('attachment_urls', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 50 in length.');
    const refreshed = body.data.attachment_urls.map((original) => ({
      original,
      refreshed: sign(new URL(original).pathname),
    }));
    return c.json({ refreshed_urls: refreshed });
  });

  return {
    urlOf: (attachment) => sign(pathOf(attachment)),
    files,
    routes,
    expire() {
      secret = randomBytes(32);
    },
  };
}
