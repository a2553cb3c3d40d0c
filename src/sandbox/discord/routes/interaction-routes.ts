// The routes of slash commands: the application's list, the callback, and the reply that is edited later. Checks first.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { acknowledgeMs, type Interactions } from '#sandbox/discord/world/interactions.ts';
import type { Presses } from '#sandbox/discord/world/presses.ts';
import type { Press, World } from '#sandbox/discord/world/world.ts';
import { commandRoutes } from './command-routes.ts';
import { contentOf, parseBody, readMessageBody } from './message-body.ts';
import { snowflakeAt } from './message-routes.ts';
import { badRequest, invalidField, unknownThing } from './refusal.ts';
import { ephemeral, readersOf, webhookRoutes } from './webhook-routes.ts';

const callbackBody = z.looseObject({ type: z.int(), data: z.unknown().optional() });
/** Kinds of answer to an interaction: a message at once, or a sign that one follows. */
const callbackType = { message: 4, deferred: 5, deferredUpdate: 6 } as const;
export function interactionRoutes(world: World, interactions: Interactions, presses: Presses): Hono {
  const app = new Hono();
  app.route('/', commandRoutes(world, interactions));
  app.route('/', webhookRoutes(world, interactions));
  /** The answer to a press: taken silently, or with a message that only the person who pressed sees. */
  const answerPress = async (c: Context, press: Press): Promise<Response> => {
    if (press.token !== c.req.param('token') || world.clock.now() - press.at > acknowledgeMs)
      throw unknownThing(10062, 'interaction');
    if (press.state !== 'open') throw badRequest(40060, 'Interaction has already been acknowledged.');
    const body = callbackBody.safeParse(parseBody(await c.req.text()));
    const type = body.success ? body.data.type : undefined;
    if (type === callbackType.message) {
      const message = readMessageBody(JSON.stringify(body.data?.data ?? {}));
      if (message.flags !== ephemeral)
        throw invalidField('flags', 'BASE_TYPE_CHOICES', 'The sandbox knows only 64.');
      presses.whisper(press, contentOf(message));
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
    const message = readMessageBody(JSON.stringify(body.data?.data ?? {}));
    const type = body.success ? body.data.type : undefined;
    if (type === callbackType.deferred) interactions.reply(interaction, 'thinking', readersOf(message));
    else if (type === callbackType.message)
      interactions.reply(interaction, contentOf(message), readersOf(message));
    else throw invalidField('type', 'BASE_TYPE_CHOICES', 'Value must be one of {4, 5}.');
    return c.body(null, 204);
  });

  return app;
}
