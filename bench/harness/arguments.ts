// The command line of the scripts that measure: one table of options gives what is read, what is refused and the help.
import { parseArgs } from 'node:util';
import { entry, wrapped } from '#app/screen/screen.ts';
import { codeOf, errorMessage, ParleyError } from '#base/errors.ts';

/** A whole number, several with commas between them, a switch, or words; the help has `about`. */
type Option = { readonly about: string } & (
  | { readonly standard: number; readonly least: number; readonly most: number; readonly isRandom?: true }
  | { readonly standard: readonly number[]; readonly least: number; readonly most: number }
  | { readonly isSwitch: true }
  | { readonly standard: string; readonly oneOf?: readonly string[] }
  | { readonly value: string; readonly isMany?: true }
);

/** A script of package.json, by its name there. */
interface Script<Options extends Readonly<Record<string, Option>>> {
  readonly name: string;
  /** A sentence or more. */
  readonly about: string;
  /** What follows the options, as the help names it; at least one is expected. Absent: none is taken. */
  readonly operands?: string;
  readonly options: Options;
}

type ValueOf<Of> = Of extends { standard: number }
  ? number
  : Of extends { standard: readonly number[] }
    ? number[]
    : Of extends { isSwitch: true }
      ? boolean
      : Of extends { oneOf: readonly (infer Word)[] }
        ? Word
        : Of extends { standard: string }
          ? string
          : Of extends { isMany: true }
            ? string[]
            : string | undefined;

interface Arguments<Options> {
  values: { [Name in keyof Options]: ValueOf<Options[Name]> };
  operands: string[];
}

/**
 * What a script is called with. With `--help` it prints the help and ends the process with 0; what does not fit is named on standard
 * error, and ends it with 2.
 */
export function argumentsOf<const Options extends Readonly<Record<string, Option>>>(
  script: Script<Options>,
): Arguments<Options> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(`${helpOf(script).join('\n')}\n`);
    process.exit(0);
  }
  try {
    return readArguments(script, argv);
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    return refuseArguments(script.name, error.message);
  }
}

/** Ends the process with 2: what does not fit, and how the script is called. */
export function refuseArguments(name: string, words: string): never {
  process.stderr.write(`${name}: ${words}\n"npm run ${name} -- --help" lists what it takes.\n`);
  process.exit(2);
}

/** The same without a process: a ParleyError `wrong_arguments` says what was expected and what came. */
export function readArguments<const Options extends Readonly<Record<string, Option>>>(
  script: Script<Options>,
  argv: readonly string[],
): Arguments<Options> {
  const { values, positionals } = parsed(script, argv);
  if (script.operands !== undefined && positionals.length === 0)
    throw wrong(`Expected ${script.operands}, got nothing.`);
  const read = Object.entries(script.options).map(([name, option]) => [
    name,
    readValue(name, option, values[name]),
  ]);
  // each value has the type of its option: readValue makes it
  return { values: Object.fromEntries(read) as Arguments<Options>['values'], operands: positionals };
}

type Given = string | boolean | (string | boolean)[] | undefined;

function parsed({ options, operands }: Script<Readonly<Record<string, Option>>>, argv: readonly string[]) {
  const known = Object.entries(options).map(([name, option]) => [
    name,
    { type: 'isSwitch' in option ? ('boolean' as const) : ('string' as const), multiple: 'isMany' in option },
  ]);
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: Object.fromEntries(known),
      allowPositionals: operands !== undefined,
    });
    return { values: values as Record<string, Given>, positionals }; // of each option, as its type says
  } catch (error) {
    if (codeOf(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    throw wrong(`${errorMessage(error).split('. ')[0]}.`);
  }
}

function readValue(name: string, option: Option, given: Given): unknown {
  if ('isSwitch' in option) return given === true;
  if ('value' in option) return given ?? (option.isMany === true ? [] : undefined);
  const { standard } = option;
  if (typeof given !== 'string') return standard;
  if ('oneOf' in option && !option.oneOf.includes(given))
    throw wrong(`--${name} expects ${option.oneOf.join(' or ')}, got "${given}".`);
  if (!('least' in option)) return given;
  const isOne = typeof standard === 'number';
  const numbers = (isOne ? [given] : given.split(',')).map((each) =>
    /^\d+$/.test(each) ? Number(each) : Number.NaN,
  );
  if (!numbers.every((each) => each >= option.least && each <= option.most))
    throw wrong(
      `--${name} expects ${isOne ? 'a whole number' : 'whole numbers'} from ${option.least} to ${option.most}${isOne ? '' : ' with commas'}, got "${given}".`,
    );
  return isOne ? numbers[0] : numbers;
}

const wrong = (words: string): ParleyError => new ParleyError('wrong_arguments', words);

/** Columns of the options in the help. */
const nameColumns = 22;

function helpOf({ name, about, operands, options }: Script<Readonly<Record<string, Option>>>): string[] {
  const takes = [...(operands === undefined ? [] : [operands]), '[OPTIONS]'].join(' ');
  const lines = Object.entries(options).flatMap(([option, its]) =>
    entry(`  --${option} ${valueWords(its)}`, `${its.about}${standardWords(its)}`, nameColumns),
  );
  return [
    `Usage: npm run ${name}${lines.length === 0 && operands === undefined ? '' : ` -- ${takes}`}`,
    '',
    ...wrapped(about),
    ...(lines.length === 0 ? [] : ['', ...lines]),
  ];
}

function valueWords(option: Option): string {
  if ('isSwitch' in option) return '';
  if ('value' in option) return option.value;
  if ('least' in option) return typeof option.standard === 'number' ? 'N' : 'N,N...';
  return 'oneOf' in option ? '' : 'NAME';
}

function standardWords(option: Option): string {
  if ('isSwitch' in option) return '';
  if ('value' in option) return option.isMany === true ? '; may be repeated' : '';
  if (!('least' in option))
    return `${'oneOf' in option ? `: ${option.oneOf.join(', ')}` : ''} (default: ${option.standard})`;
  const standard = 'isRandom' in option ? 'random' : String(option.standard);
  return `, ${option.least} to ${option.most} (default: ${standard})`;
}
