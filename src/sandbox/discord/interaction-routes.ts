// The routes of slash commands: the application's list, the callback, and the reply that is edited later. Checks first.

import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { CommandForm } from './app-command.ts';
import { applicationID, commandPayload } from './interaction-payload.ts';
import { acknowledgeMs, type Interactions, tokenLifeMs } from './interactions.ts';
import { contentOf, type MessageBody, parseBody, pingsOf, readMessageBody } from './message-body.ts';
import { messagePayload, whisperPayload } from './message-payload.ts';
import { snowflakeAt } from './message-routes.ts';
import type { Presses } from './presses.ts';
import { badRequest, forbidden, invalidField, Refusal, unknownThing } from './refusal.ts';
import { post, remove, rewrite } from './speech.ts';
import { removeWhisper, rewriteWhisper, whisper } from './whispers.ts';
import type { Interaction, Press, Reply, World } from './world.ts';

const commandBody = z
  .looseObject({
    name: z.string().regex(/^[-_'\p{L}\p{N} ]{1,32}$/u),
    description: z.string().max(100).default(''),
    type: z.int().min(1).max(4).default(1),
    handler: z.int().min(1).max(2).optional(),
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
  })
  // only the menus of people and messages have names with spaces, and no description ("Application Command Structure")
  .refine(
    ({ type, name, description }) => type === 2 || type === 3 || (description !== '' && !name.includes(' ')),
  );

const maxCommands = 100;

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
  const readCommands = async (c: Context, schema: z.ZodType<CommandBody[]>): Promise<CommandForm[]> => {
    ownCommands(c);
    const body = schema.safeParse(parseBody(await c.req.text()));
    if (body.success) return body.data.map(formOf);
    const field = String(body.error.issues[0]?.path.at(-1) ?? 'commands');
    throw invalidField(field, 'APPLICATION_COMMAND_INVALID', 'Could not interpret the value of this field.');
  };
  const isEntryPoint = ({ type }: CommandForm): boolean => type === 4;
  // "Bulk Overwrite Global Application Commands": what is not in the list no longer exists, except for the entry point (error 50240, serenity#2993)
  app.put('/applications/:application/commands', async (c) => {
    const forms = await readCommands(c, z.array(commandBody).max(maxCommands));
    if (interactions.commands.some(isEntryPoint) && !forms.some(isEntryPoint))
      throw badRequest(
        50240,
        "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
      );
    interactions.register(forms);
    return c.json(ownCommands(c));
  });
  // "Create Global Application Command": one of the same name and type is overwritten
  app.post('/applications/:application/commands', async (c) => {
    const [form] = await readCommands(
      c,
      commandBody.transform((one) => [one]),
    );
    if (form === undefined) throw badRequest(50035, 'Invalid Form Body');
    const isSame = ({ name, type }: CommandForm): boolean => name === form.name && type === form.type;
    const isNew = !interactions.commands.some(isSame);
    const others = interactions.commands.filter((one) => !isSame(one));
    if (isNew && others.length >= maxCommands)
      throw badRequest(30032, `Maximum number of application commands reached (${maxCommands}).`);
    interactions.register([...others, form]);
    return c.json(ownCommands(c).find(isSame), isNew ? 201 : 200);
  });

  /** The answer to a press: taken silently, or with a message that only the person who pressed sees. */
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
      (late && interaction.reply === undefined)
    )
      throw unknownThing(10062, 'interaction');
    if (interaction.reply !== undefined)
      throw badRequest(40060, 'Interaction has already been acknowledged.');
    const body = callbackBody.safeParse(parseBody(await c.req.text()));
    const said = readMessageBody(JSON.stringify(body.data?.data ?? {}));
    const type = body.success ? body.data.type : undefined;
    if (type === callbackType.deferred) interactions.reply(interaction, 'thinking', readersOf(said));
    else if (type === callbackType.message) interactions.reply(interaction, contentOf(said), readersOf(said));
    else throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5}.');
    return c.body(null, 204);
  });

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

function readersOf({ flags }: MessageBody): Reply['readers'] {
  return ((flags ?? 0) & ephemeral) !== 0 ? 'asker' : 'everyone';
}

type CommandBody = z.infer<typeof commandBody>;

function formOf({ name, description, type, handler, contexts, options, ...rest }: CommandBody): CommandForm {
  const { integration_types: types } = rest;
  const form = {
    name,
    description,
    type,
    contexts: contexts ?? null,
    integration_types: types ?? [0],
    options,
  };
  return handler === undefined ? form : { ...form, handler };
}
