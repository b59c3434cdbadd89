import type { Env } from '../platform/env.ts';
import { Problem } from '../platform/problem.ts';
import type { Owner } from '../store/installation-owner.ts';
import type { Services } from './context.ts';

/** Where the owner of a standalone installation is stored. */
export interface OwnerRecord {
  /** null while nobody has signed in. */
  find(): Promise<Owner | null>;
  /** Whether an owner could be stored. */
  canClaim(): Promise<boolean>;
  /** Makes this account the owner where there is none; of several at the same time one wins. */
  claim(account: Owner, now: number): Promise<void>;
}

type Admitting = Pick<Services, 'env' | 'owner' | 'log' | 'clock'>;
type Account = Pick<Owner, 'id' | 'login'>;

/** An owner stays the owner, so the owner is cached until the process ends. */
export function rememberedOwner(record: OwnerRecord): OwnerRecord {
  let known: Owner | null = null;
  return {
    find: async () => (known ??= await record.find()),
    canClaim: () => record.canClaim(),
    claim: (account, now) => record.claim(account, now),
  };
}

/**
 * Who may sign in: everybody, the accounts of a list beside the owner, the owner alone, whoever comes first, or nobody,
 * where whoever comes first could not be stored as the owner.
 */
export type Admission = 'everybody' | 'listed' | 'owner' | 'first' | 'nobody';

export async function readAdmission({ env, owner }: Pick<Services, 'env' | 'owner'>): Promise<Admission> {
  if (isOpen(env)) return 'everybody';
  if (env.STANDALONE_ALLOWED_LOGINS.length > 0) return 'listed';
  if (await owner.find()) return 'owner';
  return (await owner.canClaim()) ? 'first' : 'nobody';
}

/** Whether an account may use a standalone installation. Never makes it the owner. */
export async function isAdmitted({ env, owner }: Pick<Services, 'env' | 'owner'>, account: Account): Promise<boolean> {
  return isOpen(env) || isListed(env, account.login) || (await owner.find())?.id === account.id;
}

/**
 * Lets an account sign in to a standalone installation, which the first one owns from then on.
 * Where a list names who may sign in, nobody becomes the owner: taken off the list, they are out.
 * @throws Problem `forbidden`
 */
export async function admit(services: Admitting, account: Account): Promise<void> {
  const { env, owner, clock, log } = services;
  if (env.STANDALONE_ALLOWED_LOGINS.length === 0)
    await owner.claim(account, clock.now()).catch((error: unknown) => {
      log.error({ err: error }, 'the owner of this installation could not be stored');
      throw new Problem(
        'authz_unavailable',
        'The owner of this installation could not be saved. Add your account to STANDALONE_ALLOWED_LOGINS instead.',
        { cause: error },
      );
    });
  if (!(await isAdmitted(services, account))) throw notAdmitted(services, account);
}

/** The problem of an account that is not admitted; it is logged too, with the way to change it. */
export function notAdmitted({ log }: Pick<Services, 'log'>, { login }: Account): Problem {
  log.warn({ login }, `an account was denied: it is not the owner, and ${howToAdmit}`);
  return new Problem('forbidden', `This installation belongs to another account. To admit yours, ${howToAdmit}`);
}

const howToAdmit = 'add it to STANDALONE_ALLOWED_LOGINS in the environment and restart the service.';

/** Ends the sessions of accounts that were taken off the list, so that being listed again does not revive them. */
export async function endUnadmitted(services: Pick<Services, 'env' | 'owner' | 'store' | 'clock'>): Promise<void> {
  const { store, clock } = services;
  const now = clock.now();
  for (const account of (await store?.sessions.accounts(now)) ?? [])
    if (!(await isAdmitted(services, account)))
      await store?.sessions.revokeOthers(account.id, null, 'not_admitted', now);
}

/** One line at start about who may sign in, and how to change it. */
export async function logAdmission(services: Pick<Services, 'env' | 'owner' | 'log'>): Promise<void> {
  const admission = await readAdmission(services);
  const owner = (await services.owner.find())?.login ?? null;
  const level = admission === 'owner' || admission === 'listed' ? 'info' : 'warn';
  services.log[level]({ owner }, text[admission]);
}

const text: Record<Admission, string> = {
  everybody: 'every GitHub account can sign in, because STANDALONE_ALLOWED_LOGINS is *',
  listed: 'the owner and accounts in STANDALONE_ALLOWED_LOGINS can sign in',
  owner: 'only the owner can sign in; STANDALONE_ALLOWED_LOGINS allows other accounts',
  first: 'the first account that signs in will own this installation; STANDALONE_ALLOWED_LOGINS allows others',
  nobody:
    'nobody can sign in here: without a database the first account would be stored as the owner in a file of the working directory, which cannot be written; list your account in STANDALONE_ALLOWED_LOGINS, or set DATABASE_URL',
};

const isOpen = ({ STANDALONE_ALLOWED_LOGINS }: Env) => STANDALONE_ALLOWED_LOGINS.includes('*');

const isListed = ({ STANDALONE_ALLOWED_LOGINS }: Env, login: string) =>
  STANDALONE_ALLOWED_LOGINS.some((one) => one.toLowerCase() === login.toLowerCase());
