import { randomUUID } from 'node:crypto';
import { accessSync, constants, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Problem } from '../platform/problem.ts';
import type { Owner } from '../store/installation-owner.ts';

const content = z.object({ id: z.number(), login: z.string() });

/** Where the owner of an installation without a database is stored, beside `.env`. */
export const ownerFileName = '.standalone-owner';

const unreadable = `The owner of this installation cannot be read: the file ${ownerFileName} is damaged, or its permissions deny it. Whoever runs the service can mend it, or remove it: then the first account that signs in is the owner.`;

/** The owner of an installation without a database: a file that this user alone can read. */
export const ownerFile = (path: string) => ({
  /** null while nobody has signed in. @throws Problem `authz_unavailable` where the file cannot be read. */
  async find(): Promise<Owner | null> {
    try {
      return content.parse(JSON.parse(readFileSync(path, 'utf8')));
    } catch (error) {
      if (isError(error, 'ENOENT')) return null;
      throw new Problem('authz_unavailable', unreadable, { cause: error });
    }
  },
  /** Not where the folder is missing, read-only or another user's. */
  async canClaim(): Promise<boolean> {
    try {
      accessSync(dirname(path), constants.W_OK | constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  /** Makes this account the owner where there is none. The file appears complete, or not at all. */
  async claim({ id, login }: Owner): Promise<void> {
    const draft = `${path}.${randomUUID()}`;
    writeFileSync(draft, `${JSON.stringify({ id, login })}\n`, { flag: 'wx', mode: 0o600 });
    try {
      linkSync(draft, path);
    } catch (error) {
      if (!isError(error, 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  },
});

const isError = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
