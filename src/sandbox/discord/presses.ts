// Buttons below messages in the sandbox's world: which there are, who pressed one, what happened to the press. No routes.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { ParleyError } from '#base/errors.ts';
import type { PressButton, SandboxUser } from '#sandbox/contract.ts';
import { whisper } from './whispers.ts';
import type { Channel, Message, Person, World } from './world.ts';

/** A press that the application received. */
export interface Press {
  id: string;
  token: string;
  at: number;
  person: Person;
  channel: Channel;
  message: Message;
  customID: string;
  state: 'open' | 'acknowledged';
}

export interface Presses {
  byID(id: string): Press | undefined;
  /** Something that only the person who pressed sees, where they did. */
  whisper(press: Press, text: string): void;
  /** What the sandbox's contract has of buttons. */
  control: {
    pressButton(press: PressButton): void;
    whispers(user: SandboxUser): string[];
  };
}

const button = z.looseObject({
  type: z.literal(2),
  style: z.int().min(1).max(4),
  label: z.string().min(1).max(80),
  custom_id: z.string().min(1).max(100),
});
/** Rows of buttons, as a message may have them (Discord's "Component Reference"). */
export const componentRows = z
  .array(z.looseObject({ type: z.literal(1), components: z.array(button).min(1).max(5) }))
  .max(5);
export type ComponentRows = z.infer<typeof componentRows>;

const maxKept = 1_000;

/** No presses yet. */
export function createPresses(world: World): Presses {
  const saved = new Map<string, Press>();
  const buttonsOf = (id: string) => {
    const message = world.byID.get(id);
    if (message === undefined) throw new ParleyError('unknown_message', `There is no message ${id}.`);
    return { message, buttons: message.components.flatMap((row) => row.components) };
  };
  return {
    byID: (id) => saved.get(id),
    whisper: (press, content) => void whisper(world, press, { content }),
    control: {
      pressButton({ id, user, at }) {
        const { message, buttons } = buttonsOf(id);
        const pressed = buttons[at];
        const channel = world.channels.get(message.channelID);
        if (pressed === undefined || channel === undefined)
          throw new ParleyError('no_such_button', `The message ${id} has no button ${at}.`);
        const press: Press = {
          id: world.newID(),
          token: randomBytes(96).toString('base64url'),
          at: world.clock.now(),
          person: world[user],
          channel,
          message,
          customID: pressed.custom_id,
          state: 'open',
        };
        saved.set(press.id, press);
        for (const oldest of saved.keys()) if (saved.size > maxKept) saved.delete(oldest);
        world.notify({ type: 'button pressed', press });
      },
      whispers: (user) =>
        [...world.whispers.values()]
          .flat()
          .flatMap(({ personID, content }) => (personID === world[user].id ? content : [])),
    },
  };
}
