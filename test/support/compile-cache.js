// Loaded before every test file: each has its own process, and would compile the same sources again.
import { enableCompileCache } from 'node:module';

enableCompileCache();
