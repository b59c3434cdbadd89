import { Fragment } from 'react';
import { hourText } from '../../charts/zone-time.ts';
import { Facts } from '../../components/facts.tsx';
import type { Profile } from './profile.ts';

/** Who it is, under which accounts, and what the page covers. */
export function Identity({ data, base }: { data: Profile; base: string }) {
  const { workday, timezone, linked_logins: linked } = data;
  const stated = [
    { label: 'Bio', value: data.bio },
    { label: 'Company', value: data.company },
    { label: 'Location', value: data.location },
  ].filter(({ value }) => value);
  return (
    <details className="source">
      <summary>{data.is_bot ? 'About this bot' : 'Account and repositories'}</summary>
      <Facts
        facts={[
          { label: 'Account', value: `${data.login}${data.is_bot ? ', a bot' : ''}` },
          ...(linked.length ? [{ label: 'Linked accounts (included)', value: linked.join(', ') }] : []),
          ...stated,
          {
            label: 'Repositories with contributions',
            value: <Repositories names={data.repos_contributed} base={base} />,
          },
          { label: 'Time zone', value: `${timezone}, workday ${hourText(workday.start)}–${hourText(workday.end)}` },
        ]}
      />
    </details>
  );
}

function Repositories({ names, base }: { names: string[]; base: string }) {
  if (names.length === 0) return 'none in 90 days';
  return names.map((name, index) => (
    <Fragment key={name}>
      {index ? ', ' : ''}
      <a href={`${base}/repos/${name}`}>{name}</a>
    </Fragment>
  ));
}
