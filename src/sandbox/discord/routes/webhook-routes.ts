// The routes by an interaction's token: its reply, read, edited and deleted, and what follows it.
import { type Context, Hono } from 'hono';
import { applicationID } from '#sandbox/discord/payloads/interaction-payload.ts';
import { messagePayload, whisperPayload } from '#sandbox/discord/payloads/message-payload.ts';
import { type Interactions, tokenLifeMs } from '#sandbox/discord/world/interactions.ts';
import { post, remove, rewrite } from '#sandbox/discord/world/speech.ts';
import { removeWhisper, rewriteWhisper, whisper } from '#sandbox/discord/world/whispers.ts';
import type { Interaction, Reply, World } from '#sandbox/discord/world/world.ts';
import { contentOf, type MessageBody, pingsOf, readMessageBody } from './message-body.ts';
import { snowflakeAt } from './message-routes.ts';
import { Refusal, unknownThing } from './refusal.ts';

/** Replies and follow-ups, while the token is good. */
export function webhookRoutes(world: World, interactions: Interactions): Hono {
  const app = new Hono();

  /** The interaction of the token in the path, while the token is good and something was answered. */
  const answered = (c: Context): Interaction => {
    const interaction = interactions.byToken(c.req.param('token') ?? '');
    if (interaction === undefined || world.clock.now() - interaction.at >= tokenLifeMs)
      throw new Refusal(401, { message: 'Invalid Webhook Token', code: 50027 });
    if (snowflakeAt(c, 'webhook') !== applicationID(world) || interaction.reply === undefined)
      throw unknownThing(10015, 'Webhook');
    return interaction;
  };
  const original = (c: Context): Reply => {
    const reply = interactions.replyTo(answered(c));
    // Clients write `@` as it is or as `%40`; no other message is edited by way of a token here.
    if (reply === undefined || c.req.param('message') !== '@original') throw unknownThing(10008, 'Message');
    return reply;
  };
  const payloadOf = (reply: Reply) =>
    reply.readers === 'asker' ? whisperPayload(world, reply.whisper) : messagePayload(world, reply.message);
  const edit = async (c: Context, reply: Reply) => {
    const body = readMessageBody(await c.req.text());
    const content = contentOf(body);
    if (reply.readers === 'asker') rewriteWhisper(world, reply.whisper, content);
    else rewrite(world, reply.message, { content, pings: pingsOf(body) });
    return c.json(payloadOf(reply));
  };

  app.get('/webhooks/:webhook/:token/messages/:message', (c) => c.json(payloadOf(original(c))));
  app.patch('/webhooks/:webhook/:token/messages/:message', (c) => edit(c, original(c)));
  app.delete('/webhooks/:webhook/:token/messages/:message', (c) => {
    const reply = original(c);
    if (reply.readers === 'asker') removeWhisper(world, reply.whisper);
    else remove(world, reply.message);
    answered(c).reply = 'gone';
    return c.body(null, 204);
  });
  app.post('/webhooks/:webhook/:token', async (c) => {
    const interaction = answered(c);
    const reply = interactions.replyTo(interaction);
    // The first one after a deferral takes the place of the sign, and its `flags` are ignored ("Create Followup Message").
    const state = reply?.readers === 'asker' ? reply.whisper.state : reply?.message.reply?.state;
    if (reply !== undefined && state === 'thinking') return edit(c, reply);
    const body = readMessageBody(await c.req.text());
    const { channel, person } = interaction;
    const content = contentOf(body);
    if (readersOf(body) === 'asker')
      return c.json(whisperPayload(world, whisper(world, { channel, person }, { content })));
    const draft = { channel, authorID: world.bot.id, content, pings: pingsOf(body) };
    return c.json(messagePayload(world, post(world, draft)));
  });
  return app;
}

/** The flag of a message that one person sees. */
export const ephemeral = 64;

export function readersOf({ flags }: MessageBody): Reply['readers'] {
  return ((flags ?? 0) & ephemeral) !== 0 ? 'asker' : 'everyone';
}
