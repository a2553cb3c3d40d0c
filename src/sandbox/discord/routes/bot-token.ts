// A bot's token as Discord gives them out. It opens nothing but the sandbox.
import { randomBytes } from 'node:crypto';

/** A token in the form of Discord's: the bot's id, a time, a secret. */
export function newBotToken(botID: string): string {
  const id = Buffer.from(botID).toString('base64url');
  return `${id}.${randomBytes(4).toString('base64url')}.${randomBytes(28).toString('base64url')}`;
}
