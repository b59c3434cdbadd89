import { afterAll } from 'vitest';
import { dropCreated } from './postgres.ts';

// Registered before any hook of the file, and so run after all of them.
afterAll(dropCreated);
