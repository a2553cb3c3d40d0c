// Sessions that commands of memory name: those that the engine of the home folder has.
import { withEngine } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { ParleyError } from '#base/errors.ts';
import { refusalOf } from '#engine/client/client.ts';
import type { MemoryValues } from './memory-options.ts';

/** For `catch`: what the engine says of a session that it does not have becomes `refused`, and all else stays. */
export function orUnknownSession(refused: () => ParleyError): (error: unknown) => never {
  return (error) => {
    throw refusalOf(error)?.code === 'SESSION_NOT_FOUND' ? refused() : error;
  };
}

/** The session tier ends with its session, so that one must be there: a ParleyError `invalid_usage` otherwise. */
export async function requireKnownSession(
  input: CommandInput,
  { session, typed }: Pick<MemoryValues, 'session' | 'typed'>,
): Promise<void> {
  if (session === undefined) return;
  const refused = () =>
    new ParleyError(
      'invalid_usage',
      `--${typed.session}: expected the id of a session for the session tier, received ${JSON.stringify(session)}, and there is no such session.`,
      {
        hint: '"parley sessions list" shows them. For more than one conversation use --tier project or global.',
      },
    );
  await withEngine(input, ({ client }) => client.sessions.get(session).catch(orUnknownSession(refused)));
}
