/** Every error the service gives on purpose, with the status it is answered with. */
export const problemStatus = {
  invalid_request: 400,
  from_address_required: 400,
  api_key_required: 400,
  token_limit: 400,
  share_limit: 400,
  unsafe_address: 400,
  invalid_cursor: 400,
  unauthenticated: 401,
  invalid_token: 401,
  invalid_signature: 401,
  cron_unauthorized: 401,
  metrics_unauthorized: 401,
  no_groups: 403,
  forbidden: 403,
  unregistered: 403,
  org_not_allowed: 403,
  org_mode_only: 403,
  csrf_rejected: 403,
  origin_not_allowed: 403,
  sharing_disabled: 403,
  session_required: 403,
  insufficient_scope: 403,
  token_read_only: 403,
  upstream_forbidden: 403,
  missing_permission: 403,
  advisor_off: 403,
  sso_required: 403,
  not_found: 404,
  no_outliers: 404,
  wrong_mode: 404,
  method_not_allowed: 405,
  idempotency_conflict: 409,
  feature_off: 409,
  last_admin: 409,
  link_cycle: 409,
  marked_distinct: 409,
  already_linked: 409,
  backfill_running: 409,
  view_limit: 409,
  in_progress: 409,
  edit_conflict: 409,
  patch_refused: 409,
  archived: 409,
  branch_refused: 409,
  file_changed: 409,
  gone: 410,
  share_expired: 410,
  issues_disabled: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upstream_rejected: 422,
  rate_limited: 429,
  busy: 429,
  ai_budget_exhausted: 429,
  upstream_rate_limited: 429,
  legally_blocked: 451,
  client_closed_request: 499,
  internal: 500,
  upstream_unavailable: 502,
  provider_error: 502,
  authz_unavailable: 503,
  db_not_configured: 503,
  db_unavailable: 503,
  ai_not_configured: 503,
  ai_unavailable: 503,
  webhook_not_configured: 503,
  email_not_configured: 503,
  service_token_missing: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export interface FieldProblem {
  field: string;
  reason: 'missing' | 'invalid' | 'duplicate' | 'unknown';
  message: string;
}

/** What goes into the answer beside the code and the sentence. */
export interface ProblemDetails {
  fields?: FieldProblem[];
  retry_after_s?: number;
  upstream_status?: number;
  sso_url?: string;
  /** The request to the platform whose answer could not be read. */
  upstream_operation?: string;
  /** The fields that the platform rejected, or that could not be read of its answer, as it names them. */
  upstream_fields?: readonly string[];
  /** Whether what was requested may have been made on the platform all the same. */
  maybe_created?: boolean;
  reason?: string;
  allowed?: readonly string[];
  mode?: string;
  /** The permissions that a token lacks, and how to grant them. */
  missing?: readonly string[];
  how?: string;
  /** A branch that was made, or may have been, and its page. */
  branch?: string;
  branch_url?: string;
  /** Files that are others by now, with the change of what they are; and the changes that they still need. */
  files?: readonly { path: string; base_blob: string; diff: string }[];
  still_found?: readonly string[];
  /** The changes that were chosen and not made, with the reason. */
  refused?: readonly { id: string; code: string; text: string }[];
  /** Requests for logs that are being read, as UTC instants. */
  running?: readonly { requested_at: string }[];
}

/** An expected error: safe to show, answered with its status and code. Anything else thrown is a defect. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly flag: string | undefined;
  readonly details: ProblemDetails | undefined;
  /** `cause` is for the log only: what failed, or the error or request behind it. */
  constructor(
    code: ProblemCode,
    message: string,
    extra: { flag?: string; details?: ProblemDetails; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problemStatus[code];
    this.flag = extra.flag;
    this.details = extra.details;
  }
}

/** A 400 that names the fields at fault, and the values of which one had to be given. */
export const invalidRequest = (fields: FieldProblem[], allowed?: readonly string[]) =>
  new Problem('invalid_request', fields[0]?.message ?? 'The request is not valid.', {
    details: { fields, ...(allowed && { allowed }) },
  });
