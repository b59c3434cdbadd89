import type { Deferred } from '../../server/http/deferred-panels.ts';
import { Section } from '../components/panel.tsx';
import { PanelFailure } from '../components/panel-failure.tsx';
import { WhenReady } from '../components/skeleton.tsx';
import { NoRepositories } from './no-repositories.tsx';
import { isIncomplete, type ScopeLists } from './scope-names.ts';

/** In the place of figures where nothing is chosen and there is nothing to choose, or it could not be listed. */
export function NoScope({ lists }: { lists: Deferred<ScopeLists> }) {
  return (
    <WhenReady data={lists} fallback={null}>
      {({ organizations, repositories }) => {
        const failed = [organizations, repositories].find(({ ok }) => !ok);
        return !failed || failed.ok ? (
          <Section title="Repositories">
            <NoRepositories isPartial={isIncomplete(repositories)} />
          </Section>
        ) : (
          <Section title="Repositories">
            <PanelFailure problem={failed.problem} />
          </Section>
        );
      }}
    </WhenReady>
  );
}
