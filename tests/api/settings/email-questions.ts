import type { Service } from '../../support/service.ts';

export const path = '/api/settings/email';
export const ann = { as: 'token-ann' };
/** The answer while nothing is saved and nothing configured. */
export const nothing = {
  enabled: false,
  provider: 'postmark',
  from_address: null,
  api_key_hint: null,
  has_key: false,
  updated_by: null,
  updated_at: null,
  version: 0,
  effective_source: 'none',
  effective_provider: null,
  effective_from: null,
  db_available: true,
  last_success_at: null,
  last_error: null,
  last_error_at: null,
};
export const from = 'Lamps <lamps@codehost.example>';

/** What ann asks of email delivery. */
export const questions = (service: () => Service) => ({
  get: async () => (await service().ask('GET', path, ann)).body,
  put: (body: unknown) => service().ask('PUT', path, { ...ann, body }),
  test: (to: unknown = 'ann@codehost.example') => service().ask('POST', `${path}/test`, { ...ann, body: { to } }),
});
