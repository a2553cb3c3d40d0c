// `npm run build`: the program in `dist`, as a clone starts it and as the package holds it.
import { buildProgram } from './program.ts';

await buildProgram();
