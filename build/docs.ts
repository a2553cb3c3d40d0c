// `npm run docs`: writes the pages that are made of the code.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationPage } from './configuration-page.ts';

writeFileSync(join(import.meta.dirname, '..', 'docs', 'configuration.md'), configurationPage());
