import { FilterBar } from '../../components/filter-bar.tsx';
import { type PanelAnswer, Section } from '../../components/panel.tsx';

interface OwnerFormProps {
  login: string;
  /** To choose from; null where they were not requested. */
  organizations: PanelAnswer<{ login: string }[]> | null;
  owner?: string;
}

/** A profile covers the repositories of one owner: asks whose. */
export function OwnerForm({ login, organizations, owner = '' }: OwnerFormProps) {
  const known = organizations?.ok ? organizations.data.map((one) => one.login) : [];
  return (
    <Section title="Choose an owner">
      <p>
        Profiles cover the repositories of one organization or person. Choose whose repositories to show for {login}.
      </p>
      <FilterBar
        label="Owner"
        search=""
        filters={[
          ...(known.length
            ? [
                {
                  kind: 'links' as const,
                  name: 'owner',
                  label: 'Yours',
                  value: owner,
                  options: known.map((value) => ({ value, label: value })),
                },
              ]
            : []),
          { kind: 'text', name: 'owner', label: 'Organization or person', value: owner, placeholder: 'octo' },
        ]}
      />
    </Section>
  );
}
