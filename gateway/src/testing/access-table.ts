import type { Access } from '@meetmark/contracts';

/** One call and who may make it. */
export interface AccessRule {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** As the router writes it. */
  path: string;
  access: Exclude<Access, 'internal'>;
}

/**
 * Who may call what. The decorators of the controllers are the source of the routes; this table is an independent control: the tests
 * compare it with the routes of the running gateway, in both directions, and derive the calls of their stories from it. A new call
 * must be added here, too.
 */
export const ACCESS_TABLE: AccessRule[] = [
  // calls of the specification
  { method: 'GET', path: '/api/user', access: 'member' },
  { method: 'POST', path: '/api/login', access: 'public' },
  { method: 'POST', path: '/api/register', access: 'public' },
  { method: 'POST', path: '/api/logout', access: 'public' },
  { method: 'POST', path: '/api/reset-password', access: 'public' },
  { method: 'PUT', path: '/api/user/change-password', access: 'member' },
  { method: 'PUT', path: '/api/user/profile', access: 'member' },
  { method: 'GET', path: '/api/events/public', access: 'public' },
  { method: 'GET', path: '/api/my-events', access: 'member' },
  { method: 'GET', path: '/api/events', access: 'member' },
  { method: 'GET', path: '/api/events/:id/attendees', access: 'member' },
  { method: 'GET', path: '/api/events/:id/count', access: 'public' },
  { method: 'POST', path: '/api/events/:id/register', access: 'member' },
  { method: 'DELETE', path: '/api/events/:id/register', access: 'member' },
  { method: 'POST', path: '/api/events', access: 'admin' },
  { method: 'PUT', path: '/api/events/:id', access: 'admin' },
  { method: 'DELETE', path: '/api/events/:id', access: 'admin' },
  { method: 'GET', path: '/api/admin/users', access: 'admin' },
  { method: 'GET', path: '/api/admin/registration-activity', access: 'admin' },
  { method: 'POST', path: '/api/admin/users', access: 'admin' },
  { method: 'PUT', path: '/api/admin/users/:id', access: 'admin' },
  { method: 'DELETE', path: '/api/admin/users/:id', access: 'admin' },
  { method: 'PUT', path: '/api/admin/users/:id/reset-password', access: 'admin' },
  { method: 'PUT', path: '/api/admin/users/:id/toggle-admin', access: 'admin' },
  // further calls
  { method: 'GET', path: '/api/login', access: 'public' },
  { method: 'GET', path: '/api/logout', access: 'public' },
  { method: 'POST', path: '/api/forgot-password', access: 'public' },
  { method: 'POST', path: '/api/sign-in-code', access: 'public' },
  { method: 'GET', path: '/api/confirm', access: 'public' },
  { method: 'POST', path: '/api/confirm', access: 'public' },
  { method: 'POST', path: '/api/confirm/link', access: 'public' },
  { method: 'POST', path: '/api/revert-email', access: 'public' },
  { method: 'POST', path: '/api/user/verification', access: 'member' },
  { method: 'POST', path: '/api/user/pending-email/code', access: 'member' },
  { method: 'DELETE', path: '/api/user/pending-email', access: 'member' },
  { method: 'GET', path: '/api/config', access: 'public' },
  { method: 'GET', path: '/api/events/:id', access: 'public' },
  { method: 'GET', path: '/api/events/:id/registrations', access: 'admin' },
  { method: 'GET', path: '/api/events/calendar.ics', access: 'public' },
  { method: 'GET', path: '/api/events/:id/calendar.ics', access: 'public' },
  { method: 'GET', path: '/api/calendar/:file', access: 'public' },
  { method: 'GET', path: '/api/user/calendar-feed', access: 'member' },
  { method: 'POST', path: '/api/user/calendar-feed', access: 'member' },
  { method: 'DELETE', path: '/api/user/calendar-feed', access: 'member' },
  { method: 'GET', path: '/api/user/mail-preferences', access: 'member' },
  { method: 'PUT', path: '/api/user/mail-preferences', access: 'member' },
  { method: 'POST', path: '/api/login/second-factor', access: 'public' },
  { method: 'POST', path: '/api/login/second-factor/passkey', access: 'public' },
  { method: 'GET', path: '/api/user/confirm', access: 'member' },
  { method: 'POST', path: '/api/user/confirm', access: 'member' },
  { method: 'GET', path: '/api/user/sessions', access: 'member' },
  { method: 'DELETE', path: '/api/user/sessions', access: 'member' },
  { method: 'DELETE', path: '/api/user/sessions/:id', access: 'member' },
  { method: 'GET', path: '/api/user/second-factors', access: 'member' },
  { method: 'POST', path: '/api/user/second-factors/totp', access: 'member' },
  { method: 'POST', path: '/api/user/second-factors/totp/confirm', access: 'member' },
  { method: 'POST', path: '/api/user/second-factors/passkey', access: 'member' },
  { method: 'POST', path: '/api/user/second-factors/passkey/confirm', access: 'member' },
  { method: 'DELETE', path: '/api/user/second-factors/:id', access: 'member' },
  { method: 'POST', path: '/api/user/recovery-codes', access: 'member' },
  { method: 'DELETE', path: '/api/admin/users/:id/second-factors', access: 'admin' },
  { method: 'GET', path: '/api/unsubscribe/:token', access: 'public' },
  { method: 'GET', path: '/api/unsubscribe/:token/list', access: 'public' },
  { method: 'POST', path: '/api/unsubscribe/:token', access: 'public' },
  { method: 'POST', path: '/api/unsubscribe/:token/undo', access: 'public' },
  { method: 'POST', path: '/api/admin/users/:id/send-reset-code', access: 'admin' },
  { method: 'GET', path: '/api/admin/summary', access: 'admin' },
  { method: 'GET', path: '/api/admin/audit', access: 'admin' },
  { method: 'GET', path: '/api/admin/security-events', access: 'admin' },
  { method: 'GET', path: '/api/admin/system', access: 'admin' },
  { method: 'POST', path: '/api/admin/system/test-mail', access: 'admin' },
  { method: 'GET', path: '/api/openapi.json', access: 'public' },
  { method: 'GET', path: '/api/docs', access: 'public' },
  { method: 'GET', path: '/api/docs/:file', access: 'public' },
  { method: 'GET', path: '/media/avatars/:file', access: 'public' },
  { method: 'GET', path: '/media/banners/:file', access: 'public' },
  { method: 'GET', path: '/sitemap.xml', access: 'public' },
  { method: 'GET', path: '/robots.txt', access: 'public' },
  { method: 'GET', path: '/events/:id', access: 'public' },
  { method: 'GET', path: '/*', access: 'public' },
];
