// The routes about the bot itself and the places it is in: gateway, users, application, guild, channels. Messages have their own file.
import { Hono } from 'hono';
import { z } from 'zod';
import { parseBody } from './message-body.ts';
import { channelPayload } from './message-payload.ts';
import { channelAt, snowflakeAt } from './message-routes.ts';
import {
  applicationPayload,
  guildPayload,
  memberPayload,
  selfPayload,
  userPayload,
} from './people-payload.ts';
import { badRequest, forbidden, invalidField, unknownThing } from './refusal.ts';
import type { World } from './world.ts';

export interface PlaceRoutes {
  world: World;
  messageContent: 'allowed' | 'refused';
  gatewayURL(): string;
  sessionStarts: SessionStarts | undefined;
  /** IDENTIFYs so far. */
  identifies(): number;
}

/** What is left of the sessions that a bot may start: all 1000 of 24 hours when absent. */
export interface SessionStarts {
  left: number;
  /** Milliseconds until there are 1000 again. */
  resetAfterMs: number;
}

/** Sessions that a bot may start in 24 hours. */
const startsADay = 1000;
const dayMs = 86_400_000;

const recipientBody = z.looseObject({ recipient_id: z.string() });

export function placeRoutes(options: PlaceRoutes): Hono {
  const { world, sessionStarts: { left, resetAfterMs } = { left: startsADay, resetAfterMs: dayMs } } =
    options;
  const app = new Hono();
  app.get('/gateway', (c) => c.json({ url: options.gatewayURL() }));
  app.get('/gateway/bot', (c) =>
    c.json({
      url: options.gatewayURL(),
      shards: 1,
      session_start_limit: {
        total: startsADay,
        remaining: Math.max(0, left - options.identifies()),
        reset_after: resetAfterMs,
        max_concurrency: 1,
      },
    }),
  );
  const application = () => applicationPayload(world, options.messageContent);
  app.get('/applications/@me', (c) => c.json(application()));
  app.get('/oauth2/applications/@me', (c) => c.json(application()));

  app.get('/users/@me', (c) => c.json(selfPayload(world)));
  app.get('/users/@me/guilds', (c) => {
    const { id, name, icon, banner, features } = guildPayload(world);
    return c.json([{ id, name, icon, banner, features, owner: false, permissions: '0' }]);
  });
  app.post('/users/@me/channels', async (c) => {
    const body = recipientBody.safeParse(parseBody(await c.req.text()));
    if (!body.success) throw invalidField('recipient_id', 'BASE_TYPE_REQUIRED', 'This field is required');
    const person = world.people.get(body.data.recipient_id);
    if (person === undefined) throw badRequest(50033, 'Invalid Recipient(s)');
    if (person.kind === 'bot') throw forbidden(50007, 'Cannot send messages to this user');
    for (const channel of world.channels.values())
      if (channel.kind === 'dm' && channel.personID === person.id)
        return c.json(channelPayload(world, channel));
    throw unknownThing(10003, 'Channel');
  });
  app.get('/users/:user', (c) => {
    const person = world.people.get(snowflakeAt(c, 'user'));
    if (person === undefined) throw unknownThing(10013, 'User');
    return c.json(userPayload(person));
  });

  const guildAt = (id: string): void => {
    if (id !== world.guildID) throw unknownThing(10004, 'Guild');
  };
  app.get('/guilds/:guild', (c) => {
    guildAt(snowflakeAt(c, 'guild'));
    return c.json(guildPayload(world));
  });
  app.get('/guilds/:guild/channels', (c) => {
    guildAt(snowflakeAt(c, 'guild'));
    const rooms = [...world.channels.values()].filter((channel) => channel.kind === 'room');
    return c.json(rooms.map((channel) => channelPayload(world, channel)));
  });
  app.get('/guilds/:guild/members/:user', (c) => {
    guildAt(snowflakeAt(c, 'guild'));
    const person = world.people.get(snowflakeAt(c, 'user'));
    if (person === undefined) throw unknownThing(10007, 'Member');
    return c.json(memberPayload(world, person));
  });
  app.get('/channels/:channel', (c) => c.json(channelPayload(world, channelAt(world, c))));
  return app;
}
