// The command line: finds the command, runs it, turns expected failures into words and an exit code.
import { asCalled } from '#base/called-as.ts';
import { errorMessage, ParleyError } from '#base/errors.ts';
import { isDiskFailure, storageCodeOf, storageHint } from '#base/files/disk-failures.ts';
import { readCommandLine } from './cli/program.ts';
import { asError } from './running/refused.ts';
import { complaint } from './screen/screen.ts';

/** Where a command writes lines. */
interface Output {
  out: (line: string) => void;
  err: (line: string) => void;
}

const standard: Output = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err(line) {
    const { isTTY, columns } = process.stderr;
    process.stderr.write(`${isTTY ? complaint(line, columns) : line}\n`);
  },
};

/** Runs one command; resolves with the exit code (0 done, 1 failed, 2 wrong call or config). */
export async function main(
  argv: readonly string[],
  variables: NodeJS.ProcessEnv,
  { out: print, err: complain }: Output = standard,
): Promise<number> {
  let help: string | undefined;
  try {
    const called = readCommandLine(argv);
    if ('shown' in called) {
      print(called.shown);
      return 0;
    }
    const { spec, path, rest, values } = called;
    help = `See "${path} --help".`;
    const run = await spec.load();
    return await run({
      folder: process.cwd(),
      configFile: typeof values.config === 'string' ? values.config : undefined,
      variables,
      print,
      rest,
      dryRun: values['dry-run'] === true,
      json: values.json === true,
      values,
    });
  } catch (thrown) {
    const { refusalOf } = await import('#engine/client/client.ts');
    const refused = refusalOf(thrown);
    const error = refused === undefined ? thrown : asError(refused);
    if (error instanceof ParleyError) {
      const hint = error.hint ?? (error.code === 'invalid_usage' ? help : undefined);
      complain(asCalled(`parley: ${error.message}${hint === undefined ? '' : `\n${hint}`}`));
      return error.code === 'config_invalid' || error.code === 'invalid_usage' ? 2 : 1;
    }
    if (!isDiskFailure(error)) throw error;
    complain(`parley: ${errorMessage(error)}.\n${storageHint(storageCodeOf(error))}`);
    return 1;
  }
}
