// The routes of an application's list of commands. Checks first.
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { applicationID, commandPayload } from '#sandbox/discord/payloads/interaction-payload.ts';
import type { CommandForm } from '#sandbox/discord/world/app-command.ts';
import type { Interactions } from '#sandbox/discord/world/interactions.ts';
import type { World } from '#sandbox/discord/world/world.ts';
import { parseBody } from './message-body.ts';
import { snowflakeAt } from './message-routes.ts';
import { badRequest, forbidden, invalidField } from './refusal.ts';

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

/** The list as it is read and replaced. */
export function commandRoutes(world: World, interactions: Interactions): Hono {
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
  // "Bulk Overwrite Global Application Commands": what is not in the list is gone, except for the entry point (error 50240, serenity#2993)
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

  return app;
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
