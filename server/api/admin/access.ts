import { z } from 'zod';
import { denial, offers } from '../../access/decision.ts';
import { featureKeys } from '../../access/features.ts';
import { organizationAdministrator } from '../../access/rules.ts';
import { Problem } from '../../platform/problem.ts';
import { groups } from '../../store/entities/user.ts';
import { type Operation, operation } from '../operation.ts';
import { login } from '../parameters.ts';

const AccessExplained = z
  .object({
    login: z.string(),
    groups: z.array(z.enum(groups)),
    is_admin: z.boolean(),
    features: z.array(z.enum(featureKeys)).meta({ description: 'What the groups are granted.' }),
    enforcement: z.boolean().meta({ description: 'false: what is missing is logged, but not denied.' }),
    operations: z.array(
      z.object({
        method: z.string(),
        path: z.string(),
        access: z.string(),
        allowed: z.boolean(),
        code: z.string().nullable().meta({ description: 'Why not; null where it is allowed.' }),
        flag: z.string().nullable().meta({ description: 'The feature that is missing, or `admin`.' }),
      }),
    ),
  })
  .meta({ id: 'AccessExplained' });

/** The operation that reports what somebody would be allowed of the others, by the very rules that decide it. */
export const explainAccess = (operations: readonly Operation[]) =>
  operation({
    method: 'GET',
    path: '/api/admin/access',
    summary: 'What somebody who has signed in here may see and do',
    access: organizationAdministrator,
    failures: ['not_found'],
    input: z.object({ login }),
    output: AccessExplained,
    rows: (answer) => answer.operations,
    async run({ login }, context) {
      const { store, services } = context;
      const user = await store.users.findByLogin(login);
      if (!user) throw new Problem('not_found', `Nobody called ${login} has signed in here.`);
      const isAdmin = user.groups.includes('admin');
      const flags = isAdmin ? featureKeys : await store.permissions.grantedTo(user.groups);
      const granted = featureKeys.filter((key) => flags.includes(key));
      const person = { groups: user.groups, isAdmin, granted };
      return {
        login: user.login,
        groups: user.groups,
        isAdmin,
        features: granted,
        enforcement: services.env.ACCESS_ENFORCEMENT === 'on',
        operations: operations.map(({ method, path, access }) => {
          const allowed = offers(access, context, person);
          const denied = allowed ? null : denial(access.required(context), person);
          return {
            method,
            path,
            access: access.name,
            allowed,
            code: denied?.code ?? null,
            flag: denied?.flag ?? null,
          };
        }),
      };
    },
  });
