import { createContext } from 'react-router';
import type { Context } from '../access/context.ts';
import type { Problem } from '../platform/problem.ts';

/** Where the framework's loaders and actions find the request's context. */
export const requestContext = createContext<Context>();

/** The nonce of this answer's scripts. */
export const nonceContext = createContext<string>('');

/** What denied the page itself, before any of it was requested; null when it opened. */
export const problemContext = createContext<Problem | null>(null);
