// The mutants of many source files.
import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { type Mutant, mutantsOf } from './mutate.ts';

/** Every mutant of these source files of the project in `root`; the compiler parses them as it does for the check of types. */
export function allMutants(root: string, files: readonly string[]): Mutant[] {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    return files.flatMap((file) => {
      const source = project?.program.getSourceFile(join(root, file));
      if (source === undefined) throw new Error(`The compiler does not know ${file}.`);
      return mutantsOf(file, source);
    });
  } finally {
    api.close();
  }
}
