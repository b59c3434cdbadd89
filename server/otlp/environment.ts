import type { Env } from '../platform/env.ts';
import type { OtlpOptions } from '../store/entities/otlp.ts';
import type { Store } from '../store/orm.ts';
import { sealHeaders, sealHeadersAnew } from './destination.ts';
import { traceHost } from './ids.ts';

/** What a destination is unless somebody chooses otherwise. */
export const usualOptions = (env: Env): OtlpOptions => ({
  protocol: 'http/protobuf',
  compression: 'gzip',
  owners: [],
  repos: [],
  workflows: [],
  only_default_branch: false,
  sample_ratio: 1,
  include_actor: false,
  service_name: '{owner}/{repo}',
  fetch_jobs: env.CODEHOST_TOKEN !== undefined,
  parallel: 1,
  host: traceHost(env.CODEHOST_WEB_URL),
});

/**
 * Brings destinations up to date at a start: the one that the environment names is there, or is deleted where it names
 * none, headers that an earlier key sealed are sealed anew, and samples are chosen by the host of the platform as it is
 * now.
 */
export async function prepareDestinations(
  { otlpDestinations }: Pick<Store, 'otlpDestinations'>,
  env: Env,
): Promise<void> {
  const endpoint = env.OTLP_ENDPOINT;
  await otlpDestinations.putEnvironment(
    endpoint === undefined
      ? null
      : {
          name: 'Environment',
          endpoint,
          enabled: true,
          options: usualOptions(env),
          headers: { sealed: sealHeaders(env, endpoint, env.OTLP_HEADERS), names: Object.keys(env.OTLP_HEADERS) },
        },
  );
  await otlpDestinations.changeHost(traceHost(env.CODEHOST_WEB_URL));
  for (const { id, headersSealed } of await otlpDestinations.list()) {
    const sealed = headersSealed && sealHeadersAnew(env, headersSealed);
    if (headersSealed && sealed) await otlpDestinations.replaceHeaders(id, headersSealed, sealed);
  }
}
