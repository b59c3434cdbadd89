import { useSearch } from '../../components/page-context.ts';
import { Details } from '../explain/details.tsx';
import type { SharedPage } from './shared-parts.tsx';

/** A metric with what it counts, by number. */
export function SharedExplanation({ answers }: SharedPage<'explained'>) {
  return <Details result={answers.explained} search={useSearch()} />;
}
