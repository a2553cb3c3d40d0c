// The routes of slash commands: the application's list, the callback, and the reply that is edited later. Checks first.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { applicationID, commandPayload } from './interaction-payload.ts';
import {
  type AppCommand,
  acknowledgeMs,
  type Interaction,
  type Interactions,
  tokenLifeMs,
} from './interactions.ts';
import { contentOf, parseBody, pingsOf, readMessageBody } from './message-body.ts';
import { messagePayload } from './message-payload.ts';
import { snowflakeAt } from './message-routes.ts';
import type { Press, Presses } from './presses.ts';
import { badRequest, forbidden, invalidField, Refusal, unknownThing } from './refusal.ts';
import { post, rewrite } from './speech.ts';
import type { Message, World } from './world.ts';

const commandBody = z.looseObject({
  name: z.string().regex(/^[-_'\p{L}\p{N}]{1,32}$/u),
  description: z.string().min(1).max(100),
  type: z.literal(1).default(1),
  contexts: z.array(z.int().min(0).max(2)).min(1).nullish(),
  integration_types: z.array(z.int().min(0).max(1)).min(1).nullish(),
  options: z
    .array(
      z.looseObject({
        name: z.string().regex(/^[-_'\p{L}\p{N}]{1,32}$/u),
        description: z.string().min(1).max(100),
        type: z.literal(3),
        required: z.boolean().optional(),
      }),
    )
    .max(25)
    .default([]),
});

const mostCommands = 100;

const callbackBody = z.looseObject({ type: z.int(), data: z.unknown().optional() });
/** Kinds of answer to an interaction: a message at once, or a sign that one follows. */
const callbackType = { message: 4, deferred: 5, deferredUpdate: 6 } as const;
/** The flag of a message that one person sees. */
const ephemeral = 64;

export function interactionRoutes(world: World, interactions: Interactions, presses: Presses): Hono {
  const app = new Hono();
  const ownCommands = (c: Context) => {
    if (snowflakeAt(c, 'application') !== applicationID(world))
      throw forbidden(20012, 'You are not authorized to perform this action on this application');
    return interactions.commands.map((command) => commandPayload(world, command));
  };
  app.get('/applications/:application/commands', (c) => c.json(ownCommands(c)));
  app.put('/applications/:application/commands', async (c) => {
    ownCommands(c);
    const body = z
      .array(commandBody)
      .max(mostCommands)
      .safeParse(parseBody(await c.req.text()));
    if (!body.success) {
      const field = String(body.error.issues[0]?.path.at(-1) ?? 'commands');
      throw invalidField(
        field,
        'APPLICATION_COMMAND_INVALID',
        'Could not interpret the value of this field.',
      );
    }
    interactions.register(body.data.map((command) => registered(world, command)));
    return c.json(ownCommands(c));
  });

  /** The answer to a press: taken without a word, or said to whoever pressed alone. */
  const answerPress = async (c: Context, press: Press): Promise<Response> => {
    if (press.token !== c.req.param('token') || world.clock.now() - press.at > acknowledgeMs)
      throw unknownThing(10062, 'interaction');
    if (press.state !== 'open') throw badRequest(40060, 'Interaction has already been acknowledged.');
    const body = callbackBody.safeParse(parseBody(await c.req.text()));
    const type = body.success ? body.data.type : undefined;
    if (type === callbackType.message) {
      const said = readMessageBody(JSON.stringify(body.data?.data ?? {}));
      if (said.flags !== ephemeral)
        throw invalidField('flags', 'BASE_TYPE_CHOICES', 'The sandbox knows only 64.');
      presses.whisper(press, contentOf(said));
    } else if (type !== callbackType.deferredUpdate)
      throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 6}.');
    press.state = 'acknowledged';
    return c.body(null, 204);
  };

  app.post('/interactions/:interaction/:token/callback', async (c) => {
    const press = presses.byID(snowflakeAt(c, 'interaction'));
    if (press !== undefined) return answerPress(c, press);
    const interaction = interactions.byID(snowflakeAt(c, 'interaction'));
    const late = interaction !== undefined && world.clock.now() - interaction.at > acknowledgeMs;
    if (
      interaction === undefined ||
      interaction.token !== c.req.param('token') ||
      (late && interaction.messageID === undefined)
    )
      throw unknownThing(10062, 'interaction');
    if (interaction.messageID !== undefined)
      throw badRequest(40060, 'Interaction has already been acknowledged.');
    const body = callbackBody.safeParse(parseBody(await c.req.text()));
    if (body.success && body.data.type === callbackType.deferred) interactions.reply(interaction, 'thinking');
    else if (body.success && body.data.type === callbackType.message)
      interactions.reply(interaction, contentOf(readMessageBody(JSON.stringify(body.data.data ?? {}))));
    else throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5}.');
    return c.body(null, 204);
  });

  /** The interaction of the token in the path, while the token is good and something was answered. */
  const answered = (c: Context): { interaction: Interaction; reply: Message } => {
    const interaction = interactions.byToken(c.req.param('token') ?? '');
    if (interaction === undefined || world.clock.now() - interaction.at >= tokenLifeMs)
      throw new Refusal(401, { message: 'Invalid Webhook Token', code: 50027 });
    if (snowflakeAt(c, 'webhook') !== applicationID(world) || interaction.messageID === undefined)
      throw unknownThing(10015, 'Webhook');
    const reply = interactions.replyTo(interaction);
    // Clients write `@` as it is or as `%40`; no other message is edited by way of a token here.
    if (reply === undefined || (c.req.param('message') ?? '@original') !== '@original')
      throw unknownThing(10008, 'Message');
    return { interaction, reply };
  };
  const edit = async (c: Context, reply: Message) => {
    const body = readMessageBody(await c.req.text());
    rewrite(world, reply, { content: contentOf(body), pings: pingsOf(body) });
    return c.json(messagePayload(world, reply));
  };

  app.get('/webhooks/:webhook/:token/messages/:message', (c) =>
    c.json(messagePayload(world, answered(c).reply)),
  );
  app.patch('/webhooks/:webhook/:token/messages/:message', (c) => edit(c, answered(c).reply));
  app.post('/webhooks/:webhook/:token', async (c) => {
    const { interaction, reply } = answered(c);
    // The first one after a deferral takes the place of the sign.
    if (reply.reply?.state === 'thinking') return edit(c, reply);
    const body = readMessageBody(await c.req.text());
    const { channel } = interaction;
    const draft = { channel, authorID: world.bot.id, content: contentOf(body), pings: pingsOf(body) };
    return c.json(messagePayload(world, post(world, draft)));
  });
  return app;
}

function registered(world: World, command: z.infer<typeof commandBody>): AppCommand {
  const { name, description, type, contexts, options, integration_types: types } = command;
  const [id, version] = [world.newID(), world.newID()];
  return {
    id,
    version,
    name,
    description,
    type,
    contexts: contexts ?? null,
    integration_types: types ?? [0],
    options,
  };
}
