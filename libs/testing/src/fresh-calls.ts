/**
 * API calls that can answer 403 FRESH_SIGN_IN_REQUIRED. A spec of the gateway compares them with the API
 * description.
 */
export const FRESH_CALLS = [
  'DELETE /api/admin/users/{id}',
  'DELETE /api/admin/users/{id}/second-factors',
  'DELETE /api/user',
  'DELETE /api/user/second-factors/{id}',
  'GET /api/user/confirm',
  'POST /api/admin/settings/import',
  'POST /api/admin/users',
  'POST /api/user/export',
  'POST /api/user/recovery-codes',
  'POST /api/user/second-factors/passkey',
  'POST /api/user/second-factors/passkey/confirm',
  'POST /api/user/second-factors/totp',
  'POST /api/user/second-factors/totp/confirm',
  'PUT /api/admin/settings',
  'PUT /api/admin/users/{id}',
  'PUT /api/admin/users/{id}/reset-password',
  'PUT /api/admin/users/{id}/toggle-admin',
] as const;

export type FreshCall = (typeof FRESH_CALLS)[number];
