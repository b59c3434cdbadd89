import { z } from 'zod';
import { feature } from '../../access/rules.ts';
import { operation, perMinute } from '../../api/operation.ts';
import { bounded, clamped, org, owner, searched } from '../../api/parameters.ts';
import { draftSearch } from './draft/draft.ts';
import { draftInput, ExposureDraft } from './draft/schema.ts';
import { refHistory } from './history.ts';
import { actionInventory } from './inventory.ts';
import { exposureSarif } from './sarif.ts';
import { ActionInventory, actionKinds, actionSorts, pins, RefHistory } from './schema.ts';
import { searchExposure } from './search.ts';
import { questionInput, searchInput } from './search-input.ts';
import { ExposureSearch, WantedLogs } from './search-schema.ts';
import { wantLogs } from './want-logs.ts';

export const getActions = operation({
  method: 'GET',
  path: '/api/exposure/actions',
  summary:
    'Actions and reusable workflows that the repositories of an organization use, how they are pinned, and which of ' +
    'their refs have moved; CSV: the refs of the page',
  access: feature('exposure'),
  failures: ['not_found'],
  input: z.object({
    org,
    kind: z.enum(actionKinds).optional(),
    pin: z.enum(pins).optional(),
    owner: owner.optional().meta({ description: 'Owner of the action.' }),
    q: searched.optional().meta({ description: 'Part of a name.' }),
    sort: z.enum(actionSorts).default('alarming').meta({
      description: 'alarming: alarming moves first, then third parties without a pin. By name, or most used first.',
    }),
    limit: clamped(1, 1000, 100).meta({ description: 'Actions on a page.' }),
    page: bounded(1, 1000, 1),
  }),
  output: ActionInventory,
  rows: ({ actions }) =>
    actions.flatMap(({ name, kind, publisher, refs }) => refs.map((ref) => ({ name, kind, publisher, ...ref }))),
  skip: (answer, count) => ({ ...answer, actions: answer.actions.slice(count) }),
  run: actionInventory,
});

export const getRefHistory = operation({
  method: 'GET',
  path: '/api/exposure/actions/history',
  summary: 'Where a ref of an action led, by the nightly observations; CSV: the observations',
  access: feature('exposure'),
  input: z.object({
    name: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}\/(?!\.{1,2}(?:\/|$))(?![^/]*\.git(?:\/|$))[A-Za-z0-9._-]{1,100}(?:\/[^\s@\p{Cc}]{1,255})?$/u,
        'is not owner/name',
      )
      .meta({ description: 'owner/repo of the action or reusable workflow, with or without its path.' }),
    ref: z
      .string()
      .regex(/^[^\s\p{Cc}]{1,255}$/u, 'is not a ref')
      .meta({ description: 'As workflow files write it.' }),
    org: org
      .optional()
      .meta({ description: 'Visible repositories of this organization; without it, those of your own list.' }),
  }),
  output: RefHistory,
  rows: ({ observations }) => observations,
  failures: ['not_found'],
  run: refHistory,
});

export const getExposure = operation({
  method: 'GET',
  path: '/api/exposure/search',
  summary:
    'Whether repositories of an organization may have used compromised actions, workflows or images, from what is stored, with a ' +
    'reason or a proof for each; CSV: what `table` names; SARIF: the attempts of the page',
  access: feature('exposure'),
  failures: ['not_found'],
  input: searchInput,
  output: ExposureSearch,
  rows: ({ table, uses, repositories, secrets }) => {
    if (table === 'secrets') return secrets.map(toSecretRow);
    return table === 'uses' ? uses.map(toUseRow) : repositories.map(toRepositoryRow);
  },
  skip: (answer, count) => ({ ...answer, uses: answer.uses.slice(count) }),
  sarif: exposureSarif,
  run: searchExposure,
});

type Search = z.output<typeof ExposureSearch>;

const toUseRow = ({ repo, suspect, run, log_state, ...use }: Search['uses'][number]) => ({
  repo,
  suspect,
  ...toVerdict(use),
  run,
  log_state,
  jobs: use.jobs?.join(', ') ?? null,
  secrets: joined(use.secrets),
  handed: joined(use.handed),
  all_secrets: use.all_secrets,
  environments: use.environments?.join(', ') ?? null,
  permissions:
    use.permissions &&
    Object.entries(use.permissions)
      .map(([scope, access]) => `${scope}:${access}`)
      .join(' '),
  permissions_source: use.permissions_source,
  id_token: use.id_token,
  runner: use.runner,
  log_public: use.log_public,
});

const joined = (names: readonly string[] | null): string | null => names?.join(' ') ?? null;

const toSecretRow = ({ name, repositories, attempts, affected, handed, environments }: Search['secrets'][number]) => ({
  name,
  repositories: joined(repositories),
  attempts,
  affected,
  handed,
  environments: environments.join(', '),
});

const toRepositoryRow = ({ repo, attempts, direct, through, refs, ...row }: Search['repositories'][number]) => ({
  repo,
  ...toVerdict(row),
  attempts,
  direct,
  through: through.join(' '),
  refs: refs.join(' '),
  first_use: row.first_use,
  last_use: row.last_use,
  default_branch_uses_now: row.default_branch_uses_now,
  secrets: row.secrets,
  all_secrets: row.all_secrets,
});

type Judged = Pick<Search['repositories'][number], 'verdict' | 'likelihood' | 'reasons' | 'proof'>;

const toVerdict = ({ verdict, likelihood, reasons, proof }: Judged) => ({
  verdict,
  likelihood,
  reasons: reasons.join(' '),
  proof: proof?.kind ?? null,
  proof_detail: proof?.detail ?? null,
});

export const draftExposure = operation({
  method: 'POST',
  path: '/api/exposure/draft',
  summary: 'What a pasted advisory says was compromised, as a search to look over; its id alone is looked up on GitHub',
  access: feature('exposure'),
  limit: perMinute('exposure-draft', 20, { per: 'account', counts: 'after' }),
  failures: ['not_found', 'rate_limited'],
  input: draftInput,
  output: ExposureDraft,
  run: draftSearch,
});

export const readExposureLogs = operation({
  method: 'POST',
  path: '/api/exposure/logs',
  summary:
    'Have the logs read, in the background and with the service token, of attempts that may have used a compromised action, ' +
    'at most 1,000 at once; the search shows what they give',
  access: feature('exposure'),
  limit: { bucket: 'exposure-logs', times: 10, windowMs: 3_600_000, per: 'account', counts: 'after' },
  failures: ['not_found', 'db_not_configured', 'service_token_missing', 'rate_limited'],
  input: questionInput,
  output: WantedLogs,
  run: wantLogs,
});
