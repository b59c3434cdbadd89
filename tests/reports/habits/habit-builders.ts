import { repositoryOf } from '../../codehost-double/world.ts';
import { anActor } from '../../metrics/delivery-builders.ts';
import type { MadeCommit, MadePullRequest } from '../../metrics/habit-worlds.ts';
import { keepMerged } from '../../store/stored-habits.ts';
import type { Service } from '../../support/service.ts';

export const web = 'owner=octo&repo=web';
export const askHabits = (service: Service, query: string, as = 'token-ann') =>
  service.ask('GET', `/api/db/working-habits?${query}`, { as });

export const aCommit = (login: string | null, lines = 10, differences: Partial<MadeCommit> = {}): MadeCommit => ({
  author: login === null ? null : anActor(login),
  authorName: 'Kim',
  additions: lines,
  deletions: 0,
  files: 1,
  isMerge: false,
  ...differences,
});
let number = 0;
/** Merged then by whoever opened it, all its commits read; numbers go up. */
export const aMerge = (login: string, mergedAt: number, ...commits: MadeCommit[]): Omit<MadePullRequest, 'repo'> => ({
  number: ++number,
  author: anActor(login),
  mergedAt,
  additions: 30,
  deletions: 12,
  files: 3,
  isRead: true,
  isTruncated: false,
  commits,
});

/** Keeps these, and no others, as the pull requests of a repository that is tracked from now on. */
export const keep = async ({ app, double, clock }: Service, name: string, merged: Omit<MadePullRequest, 'repo'>[]) => {
  const { store } = app.services;
  if (!store) throw new Error('This service has no database.');
  const { facts } = repositoryOf(double.world, name);
  return { store, facts, repoId: await keepMerged(store, facts, merged, clock.now()) };
};
