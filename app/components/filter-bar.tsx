import type { ReactNode } from 'react';
import { Link, useIsShared } from '../charts/link.tsx';
import { withChoices } from './choices.ts';
import { ChosenFilters, describeChosen } from './chosen-filters.tsx';
import { type Option, Options, Suggestions } from './options.tsx';
import { RangeChoice } from './range-choice.tsx';
import { HiddenParams } from './shared-params.tsx';

interface FilterBase {
  name: string;
  label: string;
  /** What is chosen now; empty for none. */
  value: string | number | null;
}

export type Filter =
  | (FilterBase & { kind: 'links'; options: readonly Option[] })
  /** Links, and any two days; `or` is another choice in place of them. */
  | (FilterBase & { kind: 'range'; options: readonly Option[]; or?: FilterBase & { options: readonly Option[] } })
  /** Links behind the one that is chosen: a choice alone needs no button. */
  | (FilterBase & { kind: 'menu'; options: readonly Option[] })
  | (FilterBase & { kind: 'select'; options: readonly Option[] })
  | (FilterBase & { kind: 'search' | 'text' | 'date'; placeholder?: string; list?: readonly string[] })
  | (FilterBase & { kind: 'number'; min?: number; max?: number; unit?: string });

export interface FilterBarProps {
  filters: readonly Filter[];
  /** The query string of the page; choices that are not in the form stay in the address. */
  search: string;
  /** Before the choices: what the numbers beside them count. */
  lead?: ReactNode;
  /** Beside the choices: the printed zone, the window in words. */
  note?: ReactNode;
  /** At the right end, away from the choices. */
  end?: ReactNode;
  label?: string;
  /** The part of the page that the choices are of: the form leads back to it. */
  section?: string;
  /** What the button of the form says; `Apply` without it. */
  submit?: string;
  /** Whether a phone shows what is chosen in the form in place of the form, which opens from it. */
  folds?: boolean;
}

/** Choices that live in the address: presets are links, the rest is a form that gets. Behind a share link their words. */
export function FilterBar(props: FilterBarProps) {
  return useIsShared() ? <ChosenFilters {...props} /> : <Choices {...props} />;
}

function Choices({
  filters,
  search,
  lead,
  note,
  end,
  label = 'Choices',
  section,
  submit,
  folds = false,
}: FilterBarProps) {
  const links = filters.filter((filter) => filter.kind === 'links' || filter.kind === 'range');
  const menus = filters.filter((filter) => filter.kind === 'menu');
  const controls = filters.filter(isControl);
  return (
    <section className="filters" aria-label={label}>
      {lead ? <strong>{lead}</strong> : null}
      {links.map((filter) => (
        <Chips key={filter.name} filter={filter} search={search} />
      ))}
      {menus.map((filter) => (
        <Menu key={filter.name} filter={filter} search={search} />
      ))}
      {controls.length === 0 ? null : folds ? (
        <details className="folded">
          <summary>{describeChosen(controls).join(' · ') || 'Filters'}</summary>
          <Controls controls={controls} search={search} section={section} submit={submit} />
        </details>
      ) : (
        <Controls controls={controls} search={search} section={section} submit={submit} />
      )}
      {note ? <span className="muted">{note}</span> : null}
      {end ? <span className="end muted">{end}</span> : null}
    </section>
  );
}

interface ControlsProps extends Pick<FilterBarProps, 'search' | 'section' | 'submit'> {
  controls: readonly ControlFilter[];
}

function Controls({ controls, search, section, submit = 'Apply' }: ControlsProps) {
  const place = section === undefined ? '' : `#${section}`;
  const chosen = controls.filter(isChosen);
  return (
    <form method="get" action={place || undefined}>
      <HiddenParams search={search} besides={controls.map(({ name }) => name)} />
      {controls.map((filter) => (
        <Control key={filter.name} filter={filter} />
      ))}
      <button type="submit">{submit}</button>
      {chosen.length ? (
        <Link href={`${withChoices(search, Object.fromEntries(chosen.map(({ name }) => [name, null])))}${place}`}>
          Clear
        </Link>
      ) : null}
    </form>
  );
}

type ControlFilter = Exclude<Filter, { kind: 'links' | 'range' | 'menu' }>;

const isControl = (filter: Filter): filter is ControlFilter => !['links', 'range', 'menu'].includes(filter.kind);

/** Whether one is chosen that need not be. */
const isChosen = (filter: Filter) =>
  filter.value !== null &&
  filter.value !== '' &&
  (filter.kind !== 'select' || filter.options.some(({ value }) => value === ''));

function Chips({ filter, search }: { filter: Filter & { kind: 'links' | 'range' }; search: string }) {
  const or = filter.kind === 'range' ? filter.or : undefined;
  return (
    <nav className="chips" aria-label={filter.label}>
      <ChipLinks filter={filter} search={or ? withChoices(search, { [or.name]: null }) : search} />
      {filter.kind === 'range' ? (
        <RangeChoice range={String(filter.value ?? '')} search={search} replaced={or?.name} />
      ) : null}
      {or ? <ChipLinks filter={or} search={withChoices(search, { [filter.name]: null })} /> : null}
    </nav>
  );
}

const ChipLinks = ({ filter, search }: { filter: FilterBase & { options: readonly Option[] }; search: string }) => (
  <>
    <span className="muted">{filter.label}</span>
    {filter.options.map(({ value, label }) => (
      <Link
        key={value}
        href={withChoices(search, { [filter.name]: value })}
        aria-current={String(filter.value ?? '') === value ? 'true' : undefined}
      >
        {label}
      </Link>
    ))}
  </>
);

function Menu({ filter, search }: { filter: FilterBase & { options: readonly Option[] }; search: string }) {
  const { name, label, options } = filter;
  const chosen = options.find(({ value }) => value === String(filter.value ?? ''));
  return (
    <details className="range-choice">
      <summary>{chosen?.label ?? label}</summary>
      <nav aria-label={label}>
        {options.map((option) => (
          <Link
            key={option.value}
            href={withChoices(search, { [name]: option.value })}
            aria-current={option === chosen ? 'true' : undefined}
          >
            {option.label}
          </Link>
        ))}
      </nav>
    </details>
  );
}

function Control({ filter }: { filter: ControlFilter }) {
  const id = `filter-${filter.name}`;
  return (
    <span className="control">
      <label htmlFor={id}>{filter.label}</label>
      {filter.kind === 'select' ? (
        <select id={id} name={filter.name} defaultValue={String(filter.value ?? '')}>
          <Options options={filter.options} />
        </select>
      ) : (
        <FreeControl id={id} filter={filter} />
      )}
    </span>
  );
}

function FreeControl({ id, filter }: { id: string; filter: Exclude<ControlFilter, { kind: 'select' }> }) {
  const list = 'list' in filter ? filter.list : undefined;
  return (
    <>
      <input
        id={id}
        name={filter.name}
        type={filter.kind}
        defaultValue={filter.value ?? ''}
        placeholder={'placeholder' in filter ? filter.placeholder : undefined}
        min={filter.kind === 'number' ? filter.min : undefined}
        max={filter.kind === 'number' ? filter.max : undefined}
        list={list ? `${id}-list` : undefined}
      />
      <Suggestions id={`${id}-list`} list={list} />
      {filter.kind === 'number' && filter.unit ? <span className="muted">{filter.unit}</span> : null}
    </>
  );
}
