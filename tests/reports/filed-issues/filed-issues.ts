import type { Answered, RequestOptions, Service } from '../../support/service.ts';

export interface Wish {
  title?: unknown;
  body?: unknown;
  repo?: string;
  key?: string | undefined;
}

/** Files an issue in octo/web as ann, from one address, unless something else is said. */
export const wishes =
  ({ ask }: Service) =>
  ({ key, ...wish }: Wish = {}, { headers, ...asked }: RequestOptions = {}): Promise<Answered> =>
    ask('POST', '/api/codehost/create-issue', {
      ...(headers?.authorization ? {} : { as: 'token-ann' }),
      from: '10.0.5.1',
      body: { owner: 'octo', repo: 'web', title: 'Slow checks', body: 'They take long.', ...wish },
      headers: { ...(key !== undefined && { 'idempotency-key': key }), ...headers },
      ...asked,
    });

/** The issues of octo/web whose title begins so. */
export const issuesOfWeb = ({ double }: Pick<Service, 'double'>, title: string) => {
  const web = double.world.repositories.find(({ facts }) => facts.owner === 'octo' && facts.repo === 'web');
  return (web?.issues ?? []).filter((one) => one.title.startsWith(title));
};
