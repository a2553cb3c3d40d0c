// The wizard's questions on a real terminal, by clack. Knows nothing of what is asked.

import type { Readable, Writable } from 'node:stream';
import {
  isCancel,
  log,
  multiselect,
  note,
  password,
  select,
  spinner,
  text as textPrompt,
} from '@clack/prompts';
import { paragraph } from '#app/screen/screen.ts';
import { asCalled } from '#base/called-as.ts';
import type { Prompter, WizardChoice } from './wizard.ts';

/** Asks questions on standard input and output, or on the given streams. */
export function createTerminalAsker(streams: { input?: Readable; output?: Writable } = {}): Prompter {
  return {
    note: (title, text) => note(asCalled(text), title),
    // outside of any frame, which would break it
    link: (url) => void (streams.output ?? process.stdout).write(`${url}\n`),
    findings(findings) {
      for (const { level, what, hint } of findings) {
        const lines = [what, ...(hint === undefined ? [] : [`-> ${hint}`])];
        // clack draws its frame before each line, and wraps none
        const words = lines
          .flatMap((line) => paragraph(asCalled(line), 76).map((each) => each.trim()))
          .join('\n');
        if (level === 'ok') log.success(words);
        else if (level === 'warning') log.warn(words);
        else log.error(words);
      }
    },
    async waiting(what, work) {
      const shown = spinner();
      shown.start(what);
      try {
        const result = await work();
        shown.stop(what);
        return result;
      } catch (error) {
        shown.error(what);
        throw error;
      }
    },
    async several<T extends string>(ask: string, choices: readonly WizardChoice<T>[], chosen: readonly T[]) {
      // clack's own type of an option holds for every string, and TypeScript cannot see that through the parameter
      const options = choices as unknown as { value: string; label: string }[];
      const answer = await multiselect({
        message: ask,
        options,
        initialValues: [...chosen],
        required: false,
      });
      return isCancel(answer) ? undefined : (answer as T[]); // of the choices
    },
    async one<T extends string>(ask: string, choices: readonly WizardChoice<T>[], first: T) {
      const options = choices as unknown as { value: string; label: string }[]; // as above
      const answer = await select({ message: ask, options, initialValue: first as string });
      return isCancel(answer) ? undefined : (answer as T); // as above
    },
    async secret(ask, wrong) {
      const answer = await password({
        message: ask,
        validate: (text) => wrong(text ?? ''),
        clearOnError: true,
        ...streams,
      });
      return isCancel(answer) ? undefined : (answer ?? ''); // an empty answer is none
    },
    async text(ask, otherwise) {
      // what is in the field would be doubled by a paste into it
      const message = `${ask} (empty: ${otherwise})`;
      const answer = await textPrompt({
        message,
        placeholder: otherwise,
        defaultValue: otherwise,
        ...streams,
      });
      return isCancel(answer) ? undefined : answer;
    },
  };
}
