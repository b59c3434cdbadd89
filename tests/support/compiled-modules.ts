// Hundreds of processes of a run begin with the same modules: half of the time they take to begin goes into compiling.
import { tmpdir } from 'node:os';
import { join } from 'node:path';

process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'compiled-modules');
