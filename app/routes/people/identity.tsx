import { Fragment } from 'react';
import { hourText } from '../../charts/zone-time.ts';
import { Facts } from '../../components/facts.tsx';
import type { Profile } from './profile.ts';

/** Who it is, under which accounts, and what the page covers. */
export function Identity({ of, base }: { of: Profile; base: string }) {
  const { workday, timezone, linked_logins: linked } = of;
  const stated = [
    { label: 'Bio', value: of.bio },
    { label: 'Company', value: of.company },
    { label: 'Location', value: of.location },
  ].filter(({ value }) => value);
  return (
    <Facts
      of={[
        { label: 'Account', value: `${of.login}${of.is_bot ? ', a bot' : ''}` },
        ...(linked.length ? [{ label: 'Linked accounts, counted too', value: linked.join(', ') }] : []),
        ...stated,
        { label: 'Repositories with own work', value: <Repositories names={of.repos_contributed} base={base} /> },
        { label: 'Days and hours', value: `${timezone}, workday ${hourText(workday.start)}–${hourText(workday.end)}` },
      ]}
    />
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
