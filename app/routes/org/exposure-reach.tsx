import { figures } from '../../../server/domain/quantity.ts';
import type { Search } from './exposure-words.tsx';

type Use = Search['uses'][number];

/** As many as a cell shows. */
const shownNames = 3;

export function Names({ names }: { names: readonly string[] }) {
  const more = names.length - shownNames;
  return (
    <>
      {names.slice(0, shownNames).join(', ')}
      {more > 0 ? <span className="sub muted">and {figures(more)} more</span> : null}
    </>
  );
}

/** Of one attempt; nothing where it is not known to have had the compromised code in reach. */
export function ReachedSecrets({ use }: { use: Use }) {
  if (use.verdict !== 'proven' && use.verdict !== 'possible') return null;
  const beside = besideSecrets(use);
  return (
    <>
      <Secrets use={use} />
      {beside.length > 0 ? <span className="sub muted">{beside.join(', ')}</span> : null}
    </>
  );
}

function Secrets({ use: { secrets, all_secrets: all } }: { use: Use }) {
  if (all) return 'Every secret';
  if (secrets === null) return <span className="muted">not known</span>;
  if (secrets.length === 0) return 'none';
  return (
    <>
      <Names names={secrets} />
      {all === null ? <span className="sub muted">or more</span> : null}
    </>
  );
}

/** What else makes an attempt grave. */
const besideSecrets = ({ id_token: idToken, permissions, runner, log_public: isPublic }: Use): string[] => [
  ...(idToken ? ['cloud credentials'] : []),
  ...(Object.values(permissions ?? {}).includes('write') ? ['token can write'] : []),
  ...(permissions === null ? ['token not known'] : []),
  ...(permissions !== null && idToken === null ? ['cloud credentials not known'] : []),
  ...(runner === 'self_hosted' ? ['self-hosted runner'] : []),
  ...(isPublic ? ['public log'] : []),
];
