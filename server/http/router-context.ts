import { createContext } from 'react-router';
import type { Context } from '../access/context.ts';

/** Where the framework's loaders and actions find the request's context. */
export const requestContext = createContext<Context>();

/** The nonce of this answer's scripts. */
export const nonceContext = createContext<string>('');
