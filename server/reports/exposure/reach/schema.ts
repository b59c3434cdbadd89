import { z } from 'zod';
import { reachedRunners } from '../../../scan/action-uses.ts';
import { permissionSources } from './reach.ts';

const names = z.array(z.string()).nullable();

/** Fields of an attempt that may have run what was compromised; contract of the three answers, section 1.10. */
export const reachFields = {
  jobs: names.meta({
    description: 'The jobs that the fields below are about; null where any job of the workflow file may be one.',
  }),
  secrets: names.meta({
    description:
      'Secrets that these jobs had in reach, by name, from the workflow file that ran. null where that was not read, and where the verdict says neither proven nor possible. A secret of an environment that the file does not name is `environment:NAME/*`.',
  }),
  handed: names.meta({
    description:
      'Those of them that the suspect itself was handed by inputs or variables, `*` for every secret. null where that is not known: it is used in turn by something else.',
  }),
  all_secrets: z.boolean().nullable().meta({
    description:
      'Whether a job could read every secret that it was offered: `toJSON(secrets)`, a computed name, `secrets: inherit`. null where that is not known: there may be more than `secrets`.',
  }),
  environments: names,
  permissions: z
    .record(z.string(), z.enum(['read', 'write']))
    .nullable()
    .meta({ description: 'Of the token of these jobs, of each scope the most that one has; `*` for every scope.' }),
  permissions_source: z.enum(permissionSources).meta({
    description:
      'default: neither the log nor the file says it, so the default of the repository counts, which is not read.',
  }),
  id_token: z
    .boolean()
    .nullable()
    .meta({ description: 'Whether a job could obtain credentials of clouds; logs do not say it, files do.' }),
  runner: z.enum(reachedRunners).meta({ description: 'self_hosted: what ran there may have stayed beyond the job.' }),
  log_public: z.boolean().meta({ description: 'Whether everybody could read what the jobs printed.' }),
};

export const reachTotals = {
  secrets_named: z.int().nullable().meta({
    description: 'Secrets with a name in reach, each once for each repository; null where none can be known.',
  }),
  attempts_all_secrets: z.int().meta({ description: 'Attempts that could read every secret.' }),
  attempts_id_token: z.int(),
  attempts_write_token: z.int(),
  attempts_token_unknown: z.int().meta({
    description:
      'Attempts of which it is not known what the token could do, or whether credentials of clouds could be had.',
  }),
  attempts_secrets_unknown: z
    .int()
    .meta({ description: 'Attempts of which it is not known, or not in full, which secrets they had in reach.' }),
};

export const reachedSecrets = z
  .array(
    z.object({
      name: z
        .string()
        .meta({ description: '`*`: every secret that the repository, its organization and the environment offer.' }),
      repositories: z.array(z.string()),
      attempts: z.int().meta({ description: 'Attempts that are affected or possibly, with it in reach.' }),
      affected: z.int().meta({ description: 'Those of them that are affected.' }),
      handed: z.int().meta({ description: 'Those of them in which the suspect itself was handed it.' }),
      environments: z.array(z.string()),
    }),
  )
  .meta({
    description:
      'What to rotate, of all visible repositories: first every secret, then what most affected attempts reach.',
  });
