// The first step of a start: a restore that the console has planned, before anything of the home folder is open.
import { carryOutRestore } from '#app/backup/planned-restore.ts';
import { restoredLines, withProgress } from '#app/commands/parts/backup-lines.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { systemClock } from '#base/clock.ts';
import { codeOf, errorMessage } from '#base/errors.ts';

/**
 * Restores what was planned in the console, and says so. Where that fails, a warning says why,
 * and everything is as it was.
 */
export async function restoreAsPlanned(
  home: string,
  input: Pick<CommandInput, 'print' | 'json'>,
): Promise<void> {
  try {
    const restored = await withProgress(input, (onProgress) =>
      carryOutRestore({ home, clock: systemClock, onProgress }),
    );
    if (restored === undefined) return;
    for (const line of restoredLines(home, restored)) input.print(line);
  } catch (error) {
    const hint = codeOf(error) === 'home_in_use' ? 'It is restored at a start while nothing else runs.' : '';
    input.print(`WARNING: The planned restore did not happen. ${errorMessage(error)} ${hint}`.trimEnd());
  }
}
