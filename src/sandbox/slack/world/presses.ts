// Buttons in the blocks of the bot's messages: which there are, and the payload of a press. Not its delivery.
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { PressButton } from '#sandbox/contract.ts';
import { messageShape } from './shapes.ts';
import { app, pagePeople, team } from './workspace.ts';
import type { Stored, Wire, World } from './world.ts';

const button = z.looseObject({
  type: z.literal('button'),
  action_id: z.string().min(1).max(255),
  value: z.string().max(2_000),
  text: z.looseObject({ type: z.literal('plain_text'), text: z.string().min(1).max(75) }),
});
const actions = z.looseObject({ type: z.literal('actions'), elements: z.array(button).min(1).max(25) });

/** The buttons of a message, in order. */
export function buttonsOf({ blocks = [] }: Stored): z.infer<typeof button>[] {
  return blocks.flatMap((block) => {
    const read = actions.safeParse(block);
    return read.success ? read.data.elements : [];
  });
}

/** Whether an `actions` block is as Slack takes it. */
export function isActions(block: unknown): boolean {
  return actions.safeParse(block).success;
}

/** The `block_actions` payload of a press; a ParleyError `no_such_button` where there is none. */
export function pressPayload(world: World, { id, user, at }: PressButton): Wire {
  const message = world.byID(id);
  const pressed = buttonsOf(message)[at];
  if (pressed === undefined)
    throw new ParleyError('no_such_button', `The message ${id} has no button ${at}.`);
  const ts = world.nextTs();
  const { room } = message;
  return {
    type: 'block_actions',
    user: {
      id: pagePeople[user].id,
      username: pagePeople[user].name.toLowerCase(),
      name: pagePeople[user].name.toLowerCase(),
      team_id: team.id,
    },
    api_app_id: app.id,
    token: 'sandbox-verification-token',
    container: { type: 'message', message_ts: message.ts, channel_id: room.id, is_ephemeral: false },
    trigger_id: `${ts}.${team.id}`,
    team: { id: team.id, domain: team.domain },
    channel: { id: room.id, name: room.kind === 'im' ? 'directmessage' : room.name },
    message: messageShape(world, message),
    response_url: `https://sandbox.invalid/actions/${ts}`,
    actions: [
      {
        type: 'button',
        action_id: pressed.action_id,
        block_id: 'b1',
        text: { type: 'plain_text', text: pressed.text.text, emoji: true },
        value: pressed.value,
        action_ts: ts,
      },
    ],
  };
}
