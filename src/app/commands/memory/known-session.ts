// Sessions that commands of memory name: those that the engine of the home folder has.
import { withEngine } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { ParleyError } from '#base/errors.ts';
import { refusalOf } from '#engine/client/client.ts';
import type { MemoryValues } from './memory-options.ts';

/** For `catch`: what the engine says of a session that it does not have becomes `refused`, and all else stays. */
export function orUnknownSession(refused: () => ParleyError): (error: unknown) => never {
  return (error) => {
    throw refusalOf(error)?.code === 'SESSION_NOT_FOUND' ? refused() : error;
  };
}

/** The session tier ends with its session, so that one must be there, and its memory must not have ended: a ParleyError `invalid_usage` otherwise. */
export async function requireKnownSession(
  input: CommandInput,
  { session, typed }: Pick<MemoryValues, 'session' | 'typed'>,
  { endsWhen }: LoadedConfig['config']['memory']['sessionTier'],
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
  const { archived } = await withEngine(input, ({ client }) =>
    client.sessions.get(session).catch(orUnknownSession(refused)),
  );
  if (endsWhen === 'archived' && archived === true)
    throw new ParleyError(
      'invalid_usage',
      `--${typed.session}: the session ${session} is archived, and what is stored for it alone ended with that.`,
      {
        hint: `Take it out of the archive with "parley sessions unarchive ${session}", or use --tier global.`,
      },
    );
}
