// `parley models`: what models taught by refusing requests, and how they forget it.

import { z } from 'zod';
import { callEngine, type EngineAction } from '#app/commands/parts/engine-call.ts';
import type { CommandInput } from '#app/commands/parts/input.ts';
import { learnedRemarks } from '#app/screen/learned-words.ts';
import { minute, paragraph } from '#app/screen/screen.ts';
import { asCalled } from '#base/called-as.ts';
import { ParleyError } from '#base/errors.ts';
import { nearestNames, nearestWords } from '#base/nearest.ts';
import { counted } from '#base/text.ts';

/** Names that an error offers. */
const maxNear = 3;

const schema = z.object({});
type Values = z.infer<typeof schema>;

/** Runs one action of `parley models`; resolves with 0, or throws a ParleyError. */
export function parleyModels(input: CommandInput): Promise<number> {
  return callEngine(input, { schema, actions: { list, forget } });
}

const list: EngineAction<Values> = async ({ client, json, print }) => {
  const models = await client.providers.learned();
  if (json) print(JSON.stringify({ models }));
  else if (models.length === 0) print('No model has refused anything.');
  else
    for (const model of models) {
      print(`${model.model}, ${minute(model.learnedAtMs)} UTC`);
      for (const { what, hint } of learnedRemarks(model))
        for (const line of paragraph(asCalled(`${what} ${hint}`))) print(line);
      for (const line of paragraph(`It said: ${model.words}`)) print(line);
    }
  return 0;
};

const forget: EngineAction<Values> = async ({ client, operands, json, print }) => {
  const named = operands.length === 0 ? undefined : operands.join(' ');
  const model = named === undefined ? undefined : learnedName(named, await client.providers.learned());
  const forgotten = await client.providers.forgetLearned({ model });
  print(json ? JSON.stringify({ forgotten }) : `Forgot what ${counted(forgotten, 'model')} taught.`);
  return 0;
};

/** Which models are called nearly so, with as much before the name as was given; else where all names are. */
function nearest(named: string, names: readonly string[]): string {
  const parts = named.split('/').length;
  const forms = names.map((name) =>
    name
      .replace(/ at .*/, '')
      .split('/')
      .slice(-parts)
      .join('/'),
  );
  const near = nearestNames(named, [...new Set(forms)], maxNear);
  return nearestWords(near) || '"parley models list" shows their names.';
}

/** The whole name of the one model that is meant, which may be called without its provider and its server. */
function learnedName(named: string, learned: readonly { model: string }[]): string {
  const names = learned.map(({ model }) => model);
  const isMeant = (name: string): boolean => {
    const [short = ''] = name.split(' at ');
    return short === named || short.endsWith(`/${named}`);
  };
  const meant = names.includes(named) ? [named] : names.filter(isMeant);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return only;
  if (only === undefined)
    throw new ParleyError('not_found', `Nothing was learned of a model ${JSON.stringify(named)}.`, {
      hint: nearest(named, names),
    });
  const quoted = meant.map((name) => JSON.stringify(name)).join(', ');
  throw new ParleyError('invalid_usage', `${JSON.stringify(named)} is the name of ${meant.length} models.`, {
    hint: `Name one of them whole: ${quoted}.`,
  });
}
