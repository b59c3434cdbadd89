import { Notice } from '../../components/notice.tsx';

const effects = ['changed', 'invited', 'withdrawn', 'unchanged'] as const;

/** How many people a change of groups touched, as it stands in the address: `38.2.0.0`. */
export const groupsChangedNotice = (result: object): string => {
  const logins = result as Record<(typeof effects)[number], readonly string[]>;
  return effects.map((effect) => logins[effect].length).join('.');
};

const phrases = {
  changed: (count: number) => `${people(count)} changed`,
  invited: (count: number) => `${people(count)} invited`,
  withdrawn: (count: number) => (count === 1 ? '1 invitation withdrawn' : `${count} invitations withdrawn`),
  unchanged: (count: number) => `${people(count)} already up to date`,
};

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);

/** What a change of several people came to. */
export function GroupsChanged({ value }: { value: string | null }) {
  const counts = (value ?? '').split('.').map(Number);
  const parts = effects.flatMap((effect, index) => {
    const count = counts[index] ?? 0;
    return count > 0 ? [phrases[effect](count)] : [];
  });
  return parts.length > 0 ? (
    <Notice tone="done" title="Saved.">
      {parts.join(', ')}.
    </Notice>
  ) : null;
}
