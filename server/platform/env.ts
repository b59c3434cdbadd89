import { z } from 'zod';
import {
  base,
  databaseUrl,
  encryptionKey,
  endpoint,
  headers,
  hosts,
  integer,
  isLoopback,
  list,
  listenAddress,
  model,
  origin,
  origins,
  previousSecret,
  providerKey,
  scopes,
  secret,
  slugs,
  smtpUrl,
} from './env-fields.ts';
import { senderAddress } from './mail-address.ts';
import { sealServiceToken } from './service-token.ts';

const shape = z.object({
  MODE: z
    .enum(['standalone', 'organization', 'org', 'team'])
    .transform((mode) => (mode === 'standalone' ? mode : ('organization' as const)))
    .default('standalone')
    .describe('`standalone`: one person with a token. `organization`: sign-in, groups, features, administrators.'),
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production').describe('`production` outside tests.'),
  PORT: integer(1, 65_535, 3000).describe('Port to listen on.'),
  HOST: z.string().default('0.0.0.0').describe('Address to listen on.'),
  APP_URL: origin
    .default('http://localhost:3000')
    .transform((text) => new URL(text).origin)
    .describe('Public origin, used for links, redirects and the cross-site check. Never taken from a request.'),
  TRUST_PROXY_HOPS: integer(0, 5, 0).describe('How many right-most `X-Forwarded-For` entries are your own proxies.'),
  SESSION_SECRET: secret.optional().describe('Root of the session encryption, at least 32 random characters.'),
  SESSION_SECRET_PREVIOUS: list
    .pipe(z.array(previousSecret))
    .describe('Earlier session secrets, comma-separated; they still decrypt sessions.'),
  SETTINGS_ENCRYPTION_KEY: encryptionKey
    .optional()
    .describe('Encrypts stored provider keys, 32 bytes in base64 or hexadecimal; defaults to the session secret.'),
  SETTINGS_ENCRYPTION_KEY_PREVIOUS: list
    .pipe(z.array(encryptionKey))
    .describe('Earlier keys of this kind, comma-separated; a start encrypts anew what they encrypted.'),
  SESSION_TTL_HOURS: integer(1, 720, 168).describe('Absolute life of a session.'),
  CODEHOST_CLIENT_ID: z.string().optional().describe('Client id of the OAuth app; organization mode needs it.'),
  CODEHOST_CLIENT_SECRET: z.string().optional().describe('Secret of the OAuth app; organization mode needs it.'),
  OAUTH_SCOPES: scopes.describe(
    'Scopes requested at sign-in; add `workflow` for pull requests with recommendations. `none` for a GitHub App with its own permissions.',
  ),
  SERVICE_ALLOWED_ORGS: slugs.describe('Organizations whose active members may sign in; empty means anyone.'),
  BOOTSTRAP_ADMINS: list.describe(
    'While there is no administrator, the first of these logins to sign in becomes one; so does an owner of an organization of `SERVICE_ALLOWED_ORGS`.',
  ),
  DEFAULT_GROUP: z
    .enum(['devops', 'security', 'dev', 'pm'])
    .optional()
    .describe('Group of whoever signs in for the first time; unset means none.'),
  ACCESS_ENFORCEMENT: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off` lets every member use every feature and logs what would be denied. Never opens administration.'),
  STANDALONE_ALLOWED_LOGINS: list.describe(
    'Accounts that may sign in; while this is empty, the first to sign in becomes the owner, who always may. List yourself too. `*` means anyone.',
  ),
  CODEHOST_API_URL: base.default('https://api.github.com').describe('Base URL of the GitHub REST API.'),
  CODEHOST_GRAPHQL_URL: base.optional().describe('GraphQL URL; unset: `graphql` under the REST API, without `/v3`.'),
  CODEHOST_WEB_URL: base.default('https://github.com').describe('GitHub web URL, for outbound links.'),
  CODEHOST_TOKEN: z
    .string()
    .transform(sealServiceToken)
    .optional()
    .describe('Token of the service itself, for nightly work; never used for a request of a user.'),
  CODEHOST_WEBHOOK_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Webhook secret; without it, no webhooks are accepted.'),
  CRON_SECRET: secret.optional().describe('Bearer token of the `/api/cron/*` endpoints; without it, they are off.'),
  METRICS_TOKEN: secret.optional().describe('Bearer token of `/metrics`; without it, that address is off.'),
  METRICS_LISTEN: listenAddress
    .optional()
    .describe('`host:port` of a second listener that serves only `/metrics`, without a token: `127.0.0.1:9464`.'),
  METRICS_REPOSITORIES: z
    .enum(['public', 'all', 'none'])
    .default('public')
    .describe('Repositories with metrics of their own: those that GitHub last called public, `all`, or `none`.'),
  METRICS_WORKFLOWS: z.stringbool().default(false).describe('Metrics of single workflows too, by their ids.'),
  METRICS_MAX_SERIES: integer(0, 100_000, 10_000).describe('Longest list of repository metrics in one scrape.'),
  DATABASE_URL: databaseUrl
    .optional()
    .describe('`postgres://…` for a server, `pglite://<folder>` for the embedded database, unset for none.'),
  DB_POOL_MAX: integer(1, 100, 10).describe('Connections to PostgreSQL.'),
  DB_STATEMENT_TIMEOUT_MS: integer(1000, 120_000, 15_000).describe('Longest interactive query on PostgreSQL.'),
  MIGRATE_ON_START: z.stringbool().default(true).describe('Run migrations, under a lock, before listening.'),
  SCHEDULER: z
    .enum(['internal', 'external', 'off'])
    .default('internal')
    .describe(
      '`internal` runs scheduled jobs in this process, `external` all but nightly syncs, which you call, `off` nothing.',
    ),
  ACCESS_TOKEN_MAX_DAYS: integer(1, 3650, 366).describe('How many days an access token of this service may be valid.'),
  ADVISOR: z.enum(['on', 'off']).default('on').describe('`off` switches CI recommendations off.'),
  MCP_ENABLED: z.stringbool().default(true).describe('`false` switches the MCP endpoint off.'),
  MCP_ALLOWED_ORIGINS: origins.describe(
    'Origins whose pages may call the MCP endpoint, comma-separated; none by default.',
  ),
  EMBED_ORIGINS: origins.describe('Sites that may frame shared pages, comma-separated; none by default.'),
  MCP_RATE_PER_MINUTE: integer(0, 100_000, 120).describe('Tool calls per minute and access token; 0 is off.'),
  SYNC_BACKFILL_DAYS: integer(1, 400, 90).describe('How far back the first sync of a repository reads.'),
  SYNC_MAX_PAGES: integer(1, 10, 10).describe('Pages of 100 runs per repository and pass.'),
  RETENTION_RUN_DAYS: integer(120, 3650, 400).describe(
    'How long single runs are stored; their daily totals are stored for 5 years.',
  ),
  BOT_LOGINS: list.describe('Further accounts that count as bots, comma-separated.'),
  RUNNER_LABELS: list
    .pipe(z.array(z.string().regex(/^[^=\s]+=[a-z0-9_]+$/, 'must be label=sku, comma-separated')))
    .describe('Labels of larger runners with the SKU they are billed as: `big=linux_8_core`, comma-separated.'),
  SCAN_ONLINE_RULES: z
    .stringbool()
    .default(false)
    .describe('Check the actions that workflow files use on GitHub, after the scan.'),
  SLACK_WEBHOOK_HOSTS: list
    .transform((hosts) => (hosts.length > 0 ? hosts.map((host) => host.toLowerCase()) : ['hooks.slack.com']))
    .describe('Hosts that alerts to Slack may be sent to, comma-separated; `hooks.slack.com` when unset.'),
  RATE_LIMIT_SESSION_PER_MINUTE: integer(0, 1_000_000, 600).describe('Requests per minute and session; 0 is off.'),
  RATE_LIMIT_DEMO_PER_MINUTE: integer(0, 1_000_000, 60).describe('Demo requests per minute and address; 0 is off.'),
  POSTMARK_API_KEY: providerKey.optional().describe('Server token of Postmark, the first choice for outgoing mail.'),
  POSTMARK_FROM: senderAddress.optional().describe('Sender: an address, or `Name <address>`.'),
  POSTMARK_API_URL: base.default('https://api.postmarkapp.com').describe('Address of the API of Postmark.'),
  RESEND_API_KEY: providerKey.optional().describe('Key of Resend, the second choice for outgoing mail.'),
  RESEND_FROM: senderAddress.optional().describe('Sender.'),
  RESEND_API_URL: base.default('https://api.resend.com').describe('Address of the API of Resend.'),
  SMTP_URL: smtpUrl
    .optional()
    .describe('`smtp://user:password@host:port`, or `smtps://`, of your own relay; the third choice for mail.'),
  SMTP_FROM: senderAddress.optional().describe('Sender.'),
  AI_DISABLED: z.stringbool().default(false).describe('`true` turns AI off.'),
  AI_TIMEOUT_MS: integer(1000, 60_000, 15_000).describe('Longest wait for one answer of an AI provider.'),
  AI_TOTAL_BUDGET_MS: integer(1000, 55_000, 45_000).describe(
    'Longest wait for a generated text, all attempts together.',
  ),
  AI_DAILY_TOKEN_BUDGET: integer(0, Number.MAX_SAFE_INTEGER, 2_000_000).describe(
    'Tokens that generated texts may take in a UTC day, in all processes together; 0 is no limit.',
  ),
  AI_ALLOWED_HOSTS: hosts.describe(
    'Hosts that an AI address in the settings may name though they are not public, comma-separated.',
  ),
  OTLP_ENDPOINT: endpoint
    .optional()
    .describe('Base address of an OTLP receiver that traces of completed runs are sent to; `/v1/traces` is added.'),
  OTLP_HEADERS: headers.describe('Headers of these requests: `name=value`, comma-separated and percent-encoded.'),
  OTLP_ALLOWED_HOSTS: hosts.describe(
    'Hosts that a destination of traces may name though they are not public, comma-separated.',
  ),
  OTLP_OUTBOX_DAYS: integer(1, 30, 7).describe('How many days traces wait for a destination that cannot be reached.'),
  WEBHOOK_ALLOWED_HOSTS: hosts.describe(
    'Hosts that an endpoint of outgoing webhooks may name though they are not public, comma-separated.',
  ),
  ANTHROPIC_API_KEY: providerKey.optional().describe('Key of Anthropic, the first choice for generated texts.'),
  ANTHROPIC_MODEL: model.default('claude-haiku-4-5').describe('The model used there.'),
  ANTHROPIC_BASE_URL: base.default('https://api.anthropic.com/v1').describe('Address of the messages protocol.'),
  GEMINI_API_KEY: providerKey.optional().describe('Key of Gemini, the second choice for generated texts.'),
  GEMINI_MODEL: model.default('gemini-2.5-flash').describe('The model used there.'),
  GEMINI_BASE_URL: base
    .default('https://generativelanguage.googleapis.com/v1beta/openai')
    .describe('Address of its chat completions.'),
  OPENAI_API_KEY: providerKey
    .optional()
    .describe('Key of OpenAI, or of a server compatible with it, the third choice for generated texts.'),
  OPENAI_MODEL: model.default('gpt-5-mini').describe('The model used there.'),
  OPENAI_BASE_URL: base.default('https://api.openai.com/v1').describe('Address of the chat completions.'),
  EXPOSURE_LOG_SAMPLE: z
    .enum(['first', 'all', 'off'])
    .default('first')
    .describe(
      'Whose logs are read before they are deleted: `first` runs of an hour, `all` (two requests a run, one a job), or `off`.',
    ),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info').describe('Minimum level logged.'),
});

const checked = shape
  .superRefine((env, context) => {
    if (!env.SESSION_SECRET && env.NODE_ENV === 'production')
      context.addIssue({ code: 'custom', path: ['SESSION_SECRET'], message: 'must be set' });
    if (env.MODE === 'organization')
      for (const name of ['DATABASE_URL', 'CODEHOST_CLIENT_ID', 'CODEHOST_CLIENT_SECRET'] as const)
        if (!env[name]) context.addIssue({ code: 'custom', path: [name], message: 'must be set in organization mode' });
    if (env.AI_TOTAL_BUDGET_MS < env.AI_TIMEOUT_MS)
      context.addIssue({ code: 'custom', path: ['AI_TOTAL_BUDGET_MS'], message: 'must be at least AI_TIMEOUT_MS' });
    for (const [key, from] of senders)
      if (env[key] && !env[from])
        context.addIssue({ code: 'custom', path: [from], message: `must be set with ${key}` });
    for (const name of secureAddresses) {
      const url = env[name] && new URL(env[name]);
      if (env.NODE_ENV === 'production' && url && url.protocol !== 'https:' && !isLoopback(url.hostname))
        context.addIssue({ code: 'custom', path: [name], message: 'must use https outside this machine' });
    }
  })
  .transform((env) => ({
    ...env,
    CODEHOST_GRAPHQL_URL: env.CODEHOST_GRAPHQL_URL ?? `${env.CODEHOST_API_URL.replace(/\/v3$/, '')}/graphql`,
  }));

/** Where secrets go to. */
const secureAddresses = [
  ...(['APP_URL', 'CODEHOST_API_URL', 'CODEHOST_GRAPHQL_URL', 'CODEHOST_WEB_URL'] as const),
  ...(['POSTMARK_API_URL', 'RESEND_API_URL'] as const),
  ...(['ANTHROPIC_BASE_URL', 'GEMINI_BASE_URL', 'OPENAI_BASE_URL'] as const),
] as const;

/** What mail goes out through, with whom it is from. */
const senders = [
  ['POSTMARK_API_KEY', 'POSTMARK_FROM'],
  ['RESEND_API_KEY', 'RESEND_FROM'],
  ['SMTP_URL', 'SMTP_FROM'],
] as const;

/** The scopes a sign-in requests; none for an app with permissions of its own. */
export const parseScopes = ({ OAUTH_SCOPES }: Pick<Env, 'OAUTH_SCOPES'>): string[] =>
  OAUTH_SCOPES === 'none' ? [] : OAUTH_SCOPES.split(' ');

export type Env = z.output<typeof checked>;

/** The configuration could not be read; the message names the variables, never their values. */
export class InvalidEnvironment extends Error {}

/** Reads and checks the configuration once. An empty value counts as absent. */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined && value !== ''));
  const result = checked.safeParse(given);
  if (result.success) return result.data;
  throw new InvalidEnvironment(
    result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
  );
}

/** Name, default and purpose of every variable, for the configuration table of the documentation. */
export const describeEnv = () =>
  Object.entries(shape.shape).map(([name, field]) => ({
    name,
    fallback: field.safeParse(undefined).data as unknown,
    purpose: field.description,
  }));
