// Loaded before every test file: each has a process of its own, and would compile the same sources again.
import { enableCompileCache } from 'node:module';

enableCompileCache();
