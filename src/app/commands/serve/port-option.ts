// `--port`: where a part listens, for this start only.

import type { CommandInput } from '#app/commands/parts/input.ts';
import type { LoadedConfig } from '#app/config/load.ts';
import { ParleyError } from '#base/errors.ts';

/** What was loaded, with the port of the command line where one is given; a ParleyError `invalid_usage` when it is none. */
export function withPort(
  loaded: LoadedConfig,
  { values: { port } }: Pick<CommandInput, 'values'>,
): LoadedConfig {
  if (port === undefined) return loaded;
  const number = Number(port);
  if (/^\d+$/.test(String(port)) && number <= 65_535) return { ...loaded, port: number };
  throw new ParleyError(
    'invalid_usage',
    `--port expects a number from 0 to 65535, got ${JSON.stringify(port)}.`,
    {
      hint: 'Leave it out to listen where the config says, or give 0 for any free port.',
    },
  );
}
