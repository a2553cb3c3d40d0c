// What `parley start` says once it listens: where it is reached, who answers, and what to do next. Pure.

import type { LoadedConfig } from '#app/config/load.ts';
import { checkOwners } from '#app/doctor/people.ts';
import { advice } from '#app/screen/screen.ts';
import { offlineText } from '#app/settings/model.ts';
import { programCalled } from '#base/called-as.ts';
import { linkWords } from '#sandbox/contract.ts';

/** The lines that a start prints. `link` is the address of the sandbox's page, given only without a platform. */
export async function startText(
  loaded: LoadedConfig,
  {
    url,
    tokenFile,
    model,
    link,
    consoleLink,
  }: {
    url: string;
    tokenFile: string | undefined;
    model: string;
    link: string | undefined;
    /** Only where a person reads it, and no log. */
    consoleLink: string | undefined;
  },
): Promise<string[]> {
  const where =
    link === undefined
      ? [`Parley listens on ${url}.`]
      : [
          'No platform token is set: this is the sandbox. Nothing leaves this machine.',
          linkWords,
          `  ${link}`,
        ];
  const token = tokenFile === undefined ? [] : [`The engine's token is in ${tokenFile}.`];
  return [
    ...where,
    ...whoAnswers(model, link),
    ...consoleAt(consoleLink),
    ...token,
    ...(await ownersMissing(loaded)),
    'Ctrl-C stops it.',
  ];
}

function whoAnswers(model: string, link: string | undefined): string[] {
  const next = link === undefined ? 'a model' : 'a model and platforms';
  if (model !== offlineText) return [`${model} answers.`];
  return [
    `No model key: ${offlineText} answers, which only remembers.`,
    `To set up ${next}, run: ${programCalled()} init`,
  ];
}

function consoleAt(link: string | undefined): string[] {
  if (link === undefined) return advice('"parley console" prints a link to the console.');
  const again = advice('"parley console" prints another one.');
  return ['The console; the link works once, for five minutes:', `  ${link}`, ...again];
}

/** Says that nobody is an owner, and how someone becomes one. */
async function ownersMissing(loaded: LoadedConfig): Promise<string[]> {
  const { level, what, hint = '' } = await checkOwners(loaded);
  if (level === 'ok') return [];
  return [what, hint].flatMap((text) => advice(text));
}
