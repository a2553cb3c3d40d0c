// The routes about the bot itself and the places it is in: gateway, users, application, guild, channels. Messages have their own file.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { recommendedShards, type ShardRules } from '#sandbox/discord/gateway/sharding.ts';
import { channelPayload, threadMemberPayload } from '#sandbox/discord/payloads/channel-payload.ts';
import {
  applicationPayload,
  guildPayload,
  memberPayload,
  rolePayload,
  type Switches,
  selfPayload,
  userPayload,
} from '#sandbox/discord/payloads/people-payload.ts';
import { type Guild, memberOf } from '#sandbox/discord/world/guilds.ts';
import { roomsOf } from '#sandbox/discord/world/moderation.ts';
import { botSees, guildPermissionsOf } from '#sandbox/discord/world/permissions.ts';
import { directOf, type World } from '#sandbox/discord/world/world.ts';
import { parseBody } from './message-body.ts';
import { channelAt, snowflakeAt } from './message-routes.ts';
import { badRequest, forbidden, invalidField, unknownThing } from './refusal.ts';

interface PlaceRoutes {
  world: World;
  switches: Switches;
  gatewayURL(): string;
  sessionStarts: SessionStarts | undefined;
  shards: ShardRules;
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
      shards: recommendedShards(world, options.shards),
      session_start_limit: {
        total: startsADay,
        remaining: Math.max(0, left - options.identifies()),
        reset_after: resetAfterMs,
        max_concurrency: options.shards.maxConcurrency,
      },
    }),
  );
  const application = () => applicationPayload(world, options.switches);
  app.get('/applications/@me', (c) => c.json(application()));
  app.get('/oauth2/applications/@me', (c) => c.json(application()));

  app.get('/users/@me', (c) => c.json(selfPayload(world)));
  app.get('/users/@me/guilds', (c) => {
    const limit = Number(c.req.query('limit') ?? '200');
    const guilds = [...world.guilds.values()].filter(({ state }) => state !== 'without the bot');
    return c.json(
      guilds.slice(0, limit).map((guild) => {
        const { id, name, icon, banner, features } = guildPayload(guild);
        const bot = memberOf(guild, world.bot.id);
        const permissions = bot === undefined ? 0n : guildPermissionsOf(guild, bot);
        return { id, name, icon, banner, features, owner: false, permissions: String(permissions) };
      }),
    );
  });
  app.post('/users/@me/channels', async (c) => {
    const body = recipientBody.safeParse(parseBody(await c.req.text()));
    if (!body.success) throw invalidField('recipient_id', 'BASE_TYPE_REQUIRED', 'This field is required');
    const person = world.people.get(body.data.recipient_id);
    if (person === undefined) throw badRequest(50033, 'Invalid Recipient(s)');
    if (person.kind === 'bot') throw forbidden(50007, 'Cannot send messages to this user');
    return c.json(channelPayload(world, directOf(world, person)));
  });
  app.get('/users/:user', (c) => {
    const person = world.people.get(snowflakeAt(c, 'user'));
    if (person === undefined) throw unknownThing(10013, 'User');
    return c.json(userPayload(person));
  });

  const guildAt = (c: Context): Guild => {
    const guild = world.guilds.get(snowflakeAt(c, 'guild'));
    if (guild === undefined || guild.state === 'without the bot') throw unknownThing(10004, 'Guild');
    return guild;
  };
  app.get('/guilds/:guild', (c) => c.json(guildPayload(guildAt(c))));
  app.get('/guilds/:guild/roles', (c) => c.json([...guildAt(c).roles.values()].map(rolePayload)));
  app.get('/guilds/:guild/channels', (c) => {
    const rooms = roomsOf(world, guildAt(c)).filter((room) => botSees(world, room));
    return c.json(rooms.map((room) => channelPayload(world, room)));
  });
  app.get('/guilds/:guild/members/:user', (c) => {
    const member = memberOf(guildAt(c), snowflakeAt(c, 'user'));
    if (member === undefined) throw unknownThing(10007, 'Member');
    return c.json(memberPayload(world, member));
  });
  app.get('/channels/:channel/thread-members/:user', (c) => {
    const thread = channelAt(world, c);
    if (thread.kind !== 'thread') throw badRequest(50024, 'Cannot execute action on this channel type');
    const personID = snowflakeAt(c, 'user');
    if (!thread.members.has(personID)) throw unknownThing(10007, 'Member');
    return c.json(threadMemberPayload(thread, personID));
  });
  app.get('/channels/:channel', (c) => c.json(channelPayload(world, channelAt(world, c))));
  return app;
}
