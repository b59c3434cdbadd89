const lines = (form: FormData, name: string): string[] =>
  String(form.get(name) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const isTicked = (form: FormData, name: string) => form.get(name) === 'true';

/** Without what binary fractions add, so that the form shows the same again. */
const toRatio = (percent: number) => Number((percent / 100).toPrecision(12));

/** A destination as its operation takes it: a form knows neither lists nor boxes that are not ticked. */
export function readDestination(form: FormData): Record<string, unknown> {
  const headers = lines(form, 'headers').map((line) => line.split(/:(.*)/s).map((part) => part.trim()));
  const given = Object.fromEntries(headers.map(([name = '', value = '']) => [name, value]));
  const keepsHeaders = headers.length === 0 && !isTicked(form, 'without_headers');
  return {
    enabled: isTicked(form, 'enabled'),
    include_actor: isTicked(form, 'include_actor'),
    fetch_jobs: isTicked(form, 'fetch_jobs'),
    headers: keepsHeaders ? undefined : given,
    filters: {
      owners: lines(form, 'owners'),
      repos: lines(form, 'repos'),
      workflows: lines(form, 'workflows'),
      only_default_branch: isTicked(form, 'only_default_branch'),
      sample_ratio: toRatio(Number(form.get('sample_percent') || 100)),
    },
  };
}
