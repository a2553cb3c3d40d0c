// `parley memory download`: the files of the local embedding model that the config names, before a start would fetch them.
import type { CommandInput } from '#app/commands/parts/input.ts';
import { showModelDownload } from '#app/commands/parts/model-first.ts';
import { missingRunner } from '#app/compose/local-model/fetch-model.ts';
import { loadConfig } from '#app/config/load.ts';
import { wrapped } from '#app/screen/screen.ts';

/** Downloads the local model; resolves with 0 when all files are there. */
export async function download(input: CommandInput): Promise<number> {
  const folder = await showModelDownload(loadConfig(input), input, new AbortController().signal);
  const install = missingRunner();
  if (input.json) input.print(JSON.stringify({ folder, install: install ?? null }));
  else {
    input.print(`The model is in ${folder}.`);
    if (install !== undefined)
      for (const line of wrapped(`What runs it is not installed: run "${install}" in Parley's folder.`))
        input.print(line);
  }
  return 0;
}
