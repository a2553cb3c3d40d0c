// Buttons below messages in the sandbox's world: which there are, who pressed one, what became of the press. No routes.
import { randomBytes } from 'node:crypto';
import { ParleyError } from '#base/errors.ts';
import type { PressButton, SandboxUser } from '#sandbox/contract.ts';
import { whisper } from './whispers.ts';
import type { Press, World } from './world.ts';

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

const maxEntries = 1_000;

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
        for (const oldest of saved.keys()) if (saved.size > maxEntries) saved.delete(oldest);
        world.notify({ type: 'button pressed', press });
      },
      whispers: (user) =>
        [...world.whispers.values()]
          .flat()
          .flatMap(({ personID, content }) => (personID === world[user].id ? content : [])),
    },
  };
}
