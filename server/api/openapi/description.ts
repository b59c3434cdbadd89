import { type FeatureKey, features } from '../../access/features.ts';
import type { Limit, Operation } from '../operation.ts';
import { takesAccessToken, takesPlatformToken } from './security.ts';

/** What an operation needs, limits and offers, in sentences made from its declaration. */
export function describeOperation(operation: Operation): string {
  return [
    `${operation.summary}.`,
    describeAccess(operation),
    operation.limit && describeLimit(operation.limit),
    operation.rows && 'The table can be had as CSV: `format=csv`, or `Accept: text/csv`.',
    operation.svg && 'A failure is answered as an image too, with its status.',
    operation.diff &&
      'The changes can be had as a file that `git apply` reads: `format=patch`, or `Accept: text/x-patch`.',
    operation.sarif && 'The findings can be had as SARIF 2.1.0: `format=sarif`, or `Accept: application/sarif+json`.',
  ]
    .filter(Boolean)
    .join(' ');
}

function describeAccess(operation: Operation): string {
  const { name, isOrganizationOnly } = operation.access;
  const needed = sentences[name] ?? `Needs ${credentials(operation)}${inOrganization(name)}.`;
  return isOrganizationOnly ? `${needed} Does not exist in standalone mode.` : needed;
}

const sentences: Record<string, string> = {
  anyone: 'Needs no authentication.',
  bearer: 'Needs `CRON_SECRET` as bearer.',
  signature: 'Requires a GitHub webhook signature.',
  feed: 'Needs a token of the kind `feed` in the address, made for the feature `alerts`.',
  share: 'Needs no authentication, but a token in the address.',
};

function credentials(operation: Operation): string {
  if (!takesPlatformToken(operation)) return 'a session';
  return takesAccessToken(operation) ? 'a session, a GitHub token or an access token' : 'a session or a GitHub token';
}

function inOrganization(name: string): string {
  const named = [...name.matchAll(/\bfeature:(\w+)/g)].map(([, key]) => describeFeature(key as FeatureKey));
  const needed = named.length > 0 ? named.join(' or ') : needs[name];
  return needed ? `; in organization mode ${needed}` : '';
}

const describeFeature = (key: FeatureKey) => `the feature \`${key}\` (${features[key].label})`;

const needs: Record<string, string> = {
  member: 'membership of a group',
  admin: 'that of an administrator',
  metric: 'the feature of the requested metric',
};

function describeLimit({ times, windowMs, per }: Limit): string {
  const window = windowMs === 60_000 ? 'minute' : `${windowMs / 60_000} minutes`;
  const maximum = typeof times === 'number' ? `At most ${times} requests` : 'A configured number of requests';
  return `${maximum} per ${window} and ${per}.`;
}

/** The groups of operations, by the segment of the path behind `/api`. */
export const tags = [
  { name: 'health', description: 'Liveness of the service.' },
  { name: 'ready', description: 'Readiness of the service.' },
  { name: 'demo', description: 'Invented sample data without authentication.' },
  { name: 'auth', description: 'Signing in and out, the signed-in account and its sessions.' },
  { name: 'codehost', description: 'Metrics from GitHub data.' },
  { name: 'advisor', description: 'Recommended changes of workflow files, with the runs that show them.' },
  {
    name: 'ai-authorship',
    description: 'What share of pull requests carries a mark of an AI agent: a lower bound, never by person.',
  },
  {
    name: 'exposure',
    description:
      'Actions that workflow files use, where their refs have pointed, and which runs a compromised one reached.',
  },
  { name: 'explain', description: 'The definition of a number and the items that it counts.' },
  {
    name: 'db',
    description: 'Synchronization, stored runs, trends, compared periods and working habits from the database.',
  },
  { name: 'search', description: 'Repositories, workflows and people by name.' },
  { name: 'views', description: 'Saved addresses of pages.' },
  { name: 'tokens', description: 'Access tokens of this service for scripts, agents and dashboards.' },
  { name: 'badges', description: 'Numbers of repositories as images, for READMEs and wikis.' },
  { name: 'shares', description: 'Badges and links that are readable without signing in.' },
  { name: 'mcp', description: 'Tools, resources and prompts for agents, over the Model Context Protocol.' },
  { name: 'alerts', description: 'Alert rules and events.' },
  { name: 'feeds', description: 'Alerts for feed readers.' },
  { name: 'webhooks', description: 'GitHub webhook events.' },
  { name: 'cron', description: 'Scheduled work, started by a scheduler of your own.' },
  {
    name: 'settings',
    description: 'Settings of the team, of AI, of email, of traces, of outgoing webhooks and of sharing.',
  },
  { name: 'ai', description: 'Texts generated from metrics.' },
  { name: 'jobs', description: 'What the service does by itself.' },
  {
    name: 'admin',
    description:
      'Users, permissions, identity links and the audit log, in organization mode only; sessions and access tokens of everybody.',
  },
];
