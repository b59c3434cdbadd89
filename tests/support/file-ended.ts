import { afterAll } from 'vitest';
import { releaseAll } from './created-databases.ts';

// Registered before any hook of the file, and so run after all of them.
afterAll(releaseAll);
