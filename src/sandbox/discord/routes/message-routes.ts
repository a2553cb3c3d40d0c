// The routes of messages: post, edit, delete, list, typing, reactions, threads. Checks first, then the world changes.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { channelPayload } from '#sandbox/discord/payloads/channel-payload.ts';
import {
  concernsBot,
  messagePayload,
  starterPayload,
  withoutContent,
} from '#sandbox/discord/payloads/message-payload.ts';
import { permissionBits } from '#sandbox/discord/world/permission-bits.ts';
import { botSees, mayDo, mayReadHistory } from '#sandbox/discord/world/permissions.ts';
import { isSnowflake } from '#sandbox/discord/world/snowflake.ts';
import { openThread, post, react, remove, rewrite, unreact } from '#sandbox/discord/world/speech.ts';
import type { Thread, World, WorldChannel, WorldMessage } from '#sandbox/discord/world/world.ts';
import {
  contentOf,
  type MessageBody,
  parseBody,
  pingsOf,
  readMessageBody,
  readPosted,
} from './message-body.ts';
import { badRequest, forbidden, invalidField, unknownThing } from './refusal.ts';

/** How long a nonce finds the message that was posted with it, and how long a typing indicator lasts. */
const nonceLifeMs = 5 * 60_000;
const typingMs = 10_000;

const threadBody = z.looseObject({ name: z.string().min(1).max(100), type: z.int().optional() });

interface MessageRoutes {
  world: World;
  messageContent: 'allowed' | 'refused';
  /** Called when a typing indicator was put up, to take it down in time. */
  typing(channelID: string): void;
}

export function messageRoutes({ world, messageContent, typing }: MessageRoutes): Hono {
  const app = new Hono();
  const shown = (message: WorldMessage) => {
    const payload = messagePayload(world, message);
    return messageContent === 'allowed' || concernsBot(world, message) ? payload : withoutContent(payload);
  };
  const messageAt = (c: Context): WorldMessage => {
    const channel = channelAt(world, c);
    const id = snowflakeAt(c, 'message');
    const found = world.byID.get(id);
    if (found?.channelID !== channel.id) throw unknownThing(10008, 'Message');
    return found;
  };

  app.get('/channels/:channel/messages', (c) => {
    const channel = channelAt(world, c);
    // "If the current user is missing the READ_MESSAGE_HISTORY permission in the channel, then no messages will be returned."
    const all = mayReadHistory(world, channel, world.bot.id) ? (world.messages.get(channel.id) ?? []) : [];
    const page = pageOf(all, c).map(shown);
    const { limit = '50', after } = c.req.query();
    const starter = world.byID.get(channel.id);
    // the page that reaches the beginning of a thread has the note with the message that it was opened at
    const isFirst = page.length < Number(limit) && after === undefined && starter?.channelID !== channel.id;
    return c.json(starter !== undefined && isFirst ? [...page, starterPayload(world, starter)] : page);
  });

  app.post('/channels/:channel/messages', async (c) => {
    const channel = channelAt(world, c);
    refuseSilent(world, channel);
    const { body, files } = await readPosted(c.req.raw);
    const content = contentOf(body, files);
    const again = sameNonce(world, channel, body);
    if (again !== undefined) return c.json(shown(again));
    const replyTo = answeredBy(world, channel, body);
    const nonce = body.nonce ?? undefined;
    const pings = pingsOf(body);
    const components = body.components ?? undefined;
    const draft = { channel, authorID: world.bot.id, content, pings, replyTo, nonce, files, components };
    return c.json(shown(post(world, draft)));
  });

  app.get('/channels/:channel/messages/:message', (c) => c.json(shown(messageAt(c))));

  app.patch('/channels/:channel/messages/:message', async (c) => {
    const message = messageAt(c);
    const body = readMessageBody(await c.req.text());
    if (message.authorID !== world.bot.id)
      throw forbidden(50005, 'Cannot edit a message authored by another user');
    if (body.content !== undefined)
      rewrite(world, message, {
        content: contentOf(body),
        pings: pingsOf(body),
        components: body.components ?? undefined,
      });
    return c.json(shown(message));
  });

  app.delete('/channels/:channel/messages/:message', (c) => {
    const message = messageAt(c);
    if (message.authorID !== world.bot.id) {
      throw world.channels.get(message.channelID)?.kind === 'dm'
        ? forbidden(50003, 'Cannot execute action on a DM channel')
        : forbidden(50013, 'Missing Permissions');
    }
    remove(world, message);
    return c.body(null, 204);
  });

  app.post('/channels/:channel/typing', (c) => {
    const channel = channelAt(world, c);
    world.typingUntil.set(channel.id, world.clock.now() + typingMs);
    world.notify({ type: 'typing', channelID: channel.id });
    typing(channel.id);
    return c.body(null, 204);
  });

  app.put('/channels/:channel/messages/:message/reactions/:emoji/@me', (c) => {
    react(world, { message: messageAt(c), emoji: emojiAt(c), personID: world.bot.id });
    return c.body(null, 204);
  });

  app.delete('/channels/:channel/messages/:message/reactions/:emoji/@me', (c) => {
    unreact(world, { message: messageAt(c), emoji: emojiAt(c), personID: world.bot.id });
    return c.body(null, 204);
  });

  const startThread = async (c: Context, from: WorldMessage | undefined) => {
    const parent = channelAt(world, c);
    if (parent.kind !== 'room' || parent.type === 'voice' || parent.type === 'stage')
      throw badRequest(50024, 'Cannot execute action on this channel type');
    const body = threadBody.safeParse(parseBody(await c.req.text()));
    if (!body.success)
      throw invalidField('name', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 100 in length.');
    if (from !== undefined && world.channels.has(from.id))
      throw badRequest(160004, 'A thread has already been created for this message');
    const privacy: Thread['privacy'] = from === undefined && body.data.type !== 11 ? 'private' : 'public';
    // CREATE_PUBLIC_THREADS and CREATE_PRIVATE_THREADS ("Permissions", "Threads").
    const { createPublicThreads, createPrivateThreads } = permissionBits;
    const bits = privacy === 'public' ? createPublicThreads : createPrivateThreads;
    if (!mayDo(world, parent, { personID: world.bot.id, bits }))
      throw forbidden(50013, 'Missing Permissions');
    const { name } = body.data;
    const thread = openThread(world, { name, parentID: parent.id, ownerID: world.bot.id, privacy, from });
    return c.json(channelPayload(world, thread), 201);
  };
  app.post('/channels/:channel/messages/:message/threads', (c) => startThread(c, messageAt(c)));
  app.post('/channels/:channel/threads', (c) => startThread(c, undefined));
  return app;
}

/** Refuses a message where the bot may not send one: SEND_MESSAGES_IN_THREADS takes the place of SEND_MESSAGES in threads. */
function refuseSilent(world: World, channel: WorldChannel): void {
  const { sendMessages, sendMessagesInThreads } = permissionBits;
  if (channel.kind === 'room' && (channel.type === 'forum' || channel.type === 'category'))
    throw badRequest(50008, 'Cannot send messages in a non-text channel');
  const bits = channel.kind === 'thread' ? sendMessagesInThreads : sendMessages;
  const mayManage = mayDo(world, channel, { personID: world.bot.id, bits: permissionBits.manageThreads });
  // a moderator's lock closes the thread, and only who may manage threads opens it again (discord-api-docs#6884, "Threads")
  if (channel.kind === 'thread' && channel.locked === true && !mayManage)
    throw forbidden(50083, 'Thread is archived');
  if (!mayDo(world, channel, { personID: world.bot.id, bits })) throw forbidden(50013, 'Missing Permissions');
}

/** The channel in the path, if it exists and the bot may see it. */
export function channelAt(world: World, c: Context): WorldChannel {
  const channel = world.channels.get(snowflakeAt(c, 'channel'));
  if (channel === undefined) throw unknownThing(10003, 'Channel');
  if (!botSees(world, channel)) throw forbidden(50001, 'Missing Access');
  return channel;
}

/** The id in the path, if it has the form of one. */
export function snowflakeAt(c: Context, name: string): string {
  const id = c.req.param(name) ?? '';
  if (!isSnowflake(id))
    throw invalidField(`${name}_id`, 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
  return id;
}

function emojiAt(c: Context): string {
  const emoji = c.req.param('emoji') ?? '';
  if (!/^(?:\p{RGI_Emoji}|\p{Extended_Pictographic})$/v.test(emoji)) throw unknownThing(10014, 'Emoji');
  return emoji;
}

/** Newest first, as the API lists; `after` takes the ones next to the id. */
function pageOf(all: readonly WorldMessage[], c: Context): WorldMessage[] {
  const { limit = '50', after, before } = c.req.query();
  const count = Number(limit);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw invalidField('limit', 'NUMBER_TYPE_MAX', 'int value should be less than or equal to 100.');
  for (const [name, id] of Object.entries({ after, before })) {
    if (id !== undefined && !isSnowflake(id))
      throw invalidField(name, 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
  }
  const chosen =
    after === undefined
      ? all.filter(({ id }) => before === undefined || BigInt(id) < BigInt(before)).slice(-count)
      : all.filter(({ id }) => BigInt(id) > BigInt(after)).slice(0, count);
  return chosen.toReversed();
}

function sameNonce(world: World, channel: WorldChannel, body: MessageBody): WorldMessage | undefined {
  const { nonce, enforce_nonce: enforce } = body;
  if (enforce !== true || nonce === undefined || nonce === null) return undefined;
  const since = world.clock.now() - nonceLifeMs;
  const all = world.messages.get(channel.id) ?? [];
  for (let index = all.length - 1; index >= 0; index -= 1) {
    const message = all[index];
    if (message === undefined || message.at < since) return undefined;
    if (message.nonce === nonce && message.authorID === world.bot.id) return message;
  }
  return undefined;
}

function answeredBy(world: World, channel: WorldChannel, body: MessageBody): string | undefined {
  const reference = body.message_reference;
  if (reference === undefined || reference === null) return undefined;
  // "Replying to a message ... requires ... the READ_MESSAGE_HISTORY permission" (Create Message)
  if (!mayReadHistory(world, channel, world.bot.id))
    throw forbidden(160002, 'Cannot reply without permission to read message history');
  const known = world.byID.get(reference.message_id)?.channelID === channel.id;
  if (known) return reference.message_id;
  if (reference.fail_if_not_exists === false) return undefined;
  throw invalidField('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}
