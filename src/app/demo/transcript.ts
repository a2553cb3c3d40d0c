// A scene of the demo as a terminal shows it. Pure.
import { wrap } from '#app/screen/screen.ts';
import type { ShownMessage } from '#sandbox/contract.ts';
import type { Scene } from './story.ts';

const line = (text: string): string => `\n--- ${text} `.padEnd(81, '-');

const chatNames = { dm: 'direct message', room: 'room', private: 'private room' } as const;

/** The scene as text of at most 80 columns: the messages, and the answers of the bot. */
export function transcript(
  scene: Scene,
  answers: readonly ShownMessage[],
  before: readonly { who: string; text: string }[] = [],
): string[] {
  const name = { discord: 'Discord', telegram: 'Telegram', slack: 'Slack' }[scene.platform];
  const speech = (who: string, text: string): string[] =>
    wrap(text, 70).map((row, at) => `${(at === 0 ? who : '').padEnd(9)}${row}`.trimEnd());
  const parts = answers.flatMap(({ text }, at) =>
    speech(answers.length === 1 ? 'Parley' : `Parley ${at + 1}`, text),
  );
  const killed = '         (the program is killed while it delivers this, and started again)';
  const edited =
    scene.edited === undefined ? [] : speech('', `(a person writes into MEMORY.md: ${scene.edited})`);
  const along = (scene.files ?? []).map(({ name }) => ` (with ${name})`).join('');
  const question = [...edited, ...speech(scene.comes ? '' : scene.user, `${scene.text}${along}`)];
  return [
    line(`${name}, ${chatNames[scene.chat]}`),
    ...before.flatMap(({ who, text }) => speech(who, text)),
    ...question,
    ...(scene.killed ? [killed] : []),
    ...parts,
  ];
}

/** What the offline model says of itself in each of its answers. */
const ofItself =
  /I am running offline \(no model key is set\)(?:, so (?:this guide is written out and not made up\.|I can (?:only quote|only recall|do no more with it than quote it when you ask)[.,]))?/;

/** Answers with what the offline model says of itself whole the first time, and as `(as above)` from then on. */
export function createAsAbove(): (answers: readonly ShownMessage[]) => ShownMessage[] {
  let isSaid = false;
  const shown = (text: string): string => {
    if (!ofItself.test(text)) return text;
    const before = isSaid;
    isSaid = true;
    return before ? text.replace(ofItself, '(as above)') : text;
  };
  return (answers) => answers.map((answer) => ({ ...answer, text: shown(answer.text) }));
}
