import { z } from 'zod';
import { getMe } from '../../api/session/session.ts';
import { getCollection } from '../../reports/data-coverage/operations.ts';
import { readCoverage } from '../stored-coverage.ts';
import { tool } from '../tool.ts';

export const whoami = tool({
  name: 'whoami',
  title: 'Account',
  question: 'What may you read, and how fresh is it?',
  description:
    'The account behind the access token, which features it has, when it expires, and which data of their repositories is stored through when. Call it first.',
  input: z.object({}),
  operations: [getMe, getCollection],
  needs: 'Stored runs and trends, for what is stored',
  questions: () => [{ operation: getMe, params: {} }],
  async run(_input, reader) {
    const me = await reader.read(getMe);
    const stored = await readCoverage(reader);
    const { login, mode, groups, features, token } = me.answer;
    return {
      subject: { login },
      parts: [me, ...stored],
      measurements: [],
      items: [
        {
          key: 'account',
          value: { kind: 'account', login, mode, groups, features, expires_at: token?.expires_at ?? null },
        },
        ...stored.flatMap(({ answer: { owner, summary } }) =>
          summary.map(({ resource, title, complete, partial, never, through }) => ({
            key: `${owner} ${resource}`,
            value: { kind: 'stored', owner, resource, title, complete, partial, never, through },
          })),
        ),
      ],
      page: '/settings/tokens',
    };
  },
});
