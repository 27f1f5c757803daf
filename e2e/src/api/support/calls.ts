import type { User } from '@meetmark/contracts';
import { type ApiClient, createdEvent, eventFields, newcomer } from '../../support/api-client.js';
import { aMember, type Person } from './people.js';

/** A call as it is made: its address, and its body where it has one. */
export interface PreparedCall {
  path: string;
  body?: unknown;
}

export interface CallStory {
  /** As the access table writes it. */
  call: string;
  /** Of a visitor, a member and an administrator. */
  statuses: [number, number, number];
  /** The call ends or renews the session that makes it, or changes whom it belongs to. */
  ownSession?: true;
  /** Makes what the call is about; the path of `call` alone unless given. `caller` is null for a visitor. */
  prepare?: (administrator: ApiClient, caller: Person | null) => Promise<PreparedCall>;
}

const NOBODY = '01999999-0000-7000-8000-000000000000';
const event =
  (suffix = '', body?: unknown) =>
  async (administrator: ApiClient) => ({
    path: `/api/events/${(await createdEvent(administrator)).id}${suffix}`,
    body,
  });
const user = (suffix: string, body?: (user: User) => unknown) => async () => {
  const { user: subject } = await aMember('Subject');
  return { path: `/api/admin/users/${subject.id}${suffix}`, body: body?.(subject) };
};
const at = (path: string, body?: unknown) => async () => ({ path, body });

/** Every call that the access table has, done rightly: one line for each, so that what anybody may do is read at a glance. */
export const CALL_STORIES: CallStory[] = [
  { call: 'GET /api/user', statuses: [401, 200, 200] },
  {
    call: 'POST /api/login',
    statuses: [401, 200, 200],
    ownSession: true,
    prepare: async (_, caller) => ({
      path: '/api/login',
      body: { email: caller?.person.email ?? newcomer().email, password: 'correct horse' },
    }),
  },
  {
    call: 'POST /api/register',
    statuses: [201, 201, 201],
    ownSession: true,
    prepare: async () => ({ path: '/api/register', body: newcomer() }),
  },
  { call: 'POST /api/logout', statuses: [204, 204, 204], ownSession: true },
  {
    call: 'POST /api/reset-password',
    statuses: [400, 400, 400],
    prepare: async () => ({
      path: '/api/reset-password',
      body: { email: newcomer().email, token: '000000', newPassword: 'new horse' },
    }),
  },
  {
    call: 'PUT /api/user/change-password',
    statuses: [401, 200, 200],
    ownSession: true,
    prepare: at('/api/user/change-password', {
      currentPassword: 'correct horse',
      newPassword: 'another horse',
    }),
  },
  {
    call: 'PUT /api/user/profile',
    statuses: [401, 200, 200],
    prepare: async (_, caller) => ({
      path: '/api/user/profile',
      body: { email: caller?.person.email ?? newcomer().email, firstName: 'Nora', lastName: 'Newcomer' },
    }),
  },
  { call: 'GET /api/events/public', statuses: [200, 200, 200] },
  { call: 'GET /api/my-events', statuses: [401, 200, 200] },
  { call: 'GET /api/events', statuses: [401, 200, 200] },
  { call: 'GET /api/events/:id/attendees', statuses: [401, 200, 200], prepare: event('/attendees') },
  { call: 'GET /api/events/:id/count', statuses: [200, 200, 200], prepare: event('/count') },
  { call: 'POST /api/events/:id/register', statuses: [401, 201, 201], prepare: event('/register') },
  { call: 'DELETE /api/events/:id/register', statuses: [401, 204, 204], prepare: event('/register') },
  { call: 'POST /api/events', statuses: [401, 403, 201], prepare: at('/api/events', eventFields()) },
  { call: 'PUT /api/events/:id', statuses: [401, 403, 200], prepare: event('', eventFields()) },
  { call: 'DELETE /api/events/:id', statuses: [401, 403, 204], prepare: event() },
  { call: 'GET /api/admin/users', statuses: [401, 403, 200] },
  { call: 'GET /api/admin/registration-activity', statuses: [401, 403, 200] },
  {
    call: 'POST /api/admin/users',
    statuses: [401, 403, 201],
    prepare: async () => ({ path: '/api/admin/users', body: { ...newcomer(), isAdmin: false } }),
  },
  {
    call: 'PUT /api/admin/users/:id',
    statuses: [401, 403, 200],
    prepare: user('', ({ id, email }) => ({ id, email, firstName: 'A', lastName: 'B', isAdmin: false })),
  },
  { call: 'DELETE /api/admin/users/:id', statuses: [401, 403, 204], prepare: user('') },
  {
    call: 'PUT /api/admin/users/:id/reset-password',
    statuses: [401, 403, 200],
    prepare: user('/reset-password', () => ({ newPassword: 'Abcd1234' })),
  },
  {
    call: 'PUT /api/admin/users/:id/toggle-admin',
    statuses: [401, 403, 200],
    prepare: user('/toggle-admin', () => ({ isAdmin: false })),
  },
  { call: 'GET /api/login', statuses: [302, 302, 302] },
  { call: 'GET /api/logout', statuses: [302, 302, 302], ownSession: true },
  {
    call: 'POST /api/forgot-password',
    statuses: [202, 202, 202],
    prepare: async () => ({ path: '/api/forgot-password', body: { email: newcomer().email } }),
  },
  {
    call: 'POST /api/sign-in-code',
    statuses: [202, 202, 202],
    prepare: async () => ({ path: '/api/sign-in-code', body: { email: newcomer().email } }),
  },
  {
    call: 'GET /api/confirm',
    statuses: [200, 200, 200],
    prepare: at('/api/confirm?purpose=verify'),
  },
  {
    call: 'POST /api/confirm',
    statuses: [400, 400, 400],
    prepare: at('/api/confirm', { purpose: 'sign-in', code: '123456' }),
  },
  {
    call: 'POST /api/confirm/link',
    statuses: [400, 400, 400],
    prepare: at('/api/confirm/link', { token: 'x'.repeat(22) }),
  },
  {
    call: 'POST /api/revert-email',
    statuses: [400, 400, 400],
    prepare: at('/api/revert-email', { token: 'x'.repeat(22) }),
  },
  { call: 'POST /api/user/verification', statuses: [401, 409, 409] },
  { call: 'POST /api/user/pending-email/code', statuses: [401, 400, 400] },
  { call: 'DELETE /api/user/pending-email', statuses: [401, 200, 200] },
  { call: 'GET /api/config', statuses: [200, 200, 200] },
  { call: 'GET /api/events/:id', statuses: [200, 200, 200], prepare: event() },
  { call: 'GET /api/events/:id/registrations', statuses: [401, 403, 200], prepare: event('/registrations') },
  { call: 'GET /api/events/calendar.ics', statuses: [200, 200, 200] },
  { call: 'GET /api/events/:id/calendar.ics', statuses: [200, 200, 200], prepare: event('/calendar.ics') },
  {
    call: 'GET /api/calendar/:file',
    statuses: [404, 404, 404],
    prepare: at(`/api/calendar/${'x'.repeat(43)}.ics`),
  },
  { call: 'GET /api/user/calendar-feed', statuses: [401, 200, 200] },
  { call: 'POST /api/user/calendar-feed', statuses: [401, 201, 201] },
  { call: 'DELETE /api/user/calendar-feed', statuses: [401, 204, 204] },
  { call: 'GET /api/user/mail-preferences', statuses: [401, 200, 200] },
  {
    call: 'PUT /api/user/mail-preferences',
    statuses: [401, 200, 200],
    prepare: at('/api/user/mail-preferences', { eventUpdates: true, reminders: false }),
  },
  {
    call: 'POST /api/login/second-factor',
    statuses: [401, 401, 401],
    prepare: at('/api/login/second-factor', { code: '000000' }),
  },
  { call: 'POST /api/login/second-factor/passkey', statuses: [401, 401, 401] },
  { call: 'GET /api/user/confirm', statuses: [401, 204, 204] },
  {
    call: 'POST /api/user/confirm',
    statuses: [401, 204, 204],
    prepare: at('/api/user/confirm', { password: 'correct horse' }),
  },
  { call: 'GET /api/user/sessions', statuses: [401, 200, 200] },
  { call: 'DELETE /api/user/sessions', statuses: [401, 204, 204] },
  {
    call: 'DELETE /api/user/sessions/:id',
    statuses: [401, 404, 404],
    prepare: at(`/api/user/sessions/${NOBODY}`),
  },
  { call: 'GET /api/user/second-factors', statuses: [401, 200, 200] },
  { call: 'POST /api/user/second-factors/totp', statuses: [401, 200, 200] },
  {
    call: 'POST /api/user/second-factors/totp/confirm',
    statuses: [401, 400, 400],
    prepare: at('/api/user/second-factors/totp/confirm', { name: 'Phone', code: '000000' }),
  },
  { call: 'POST /api/user/second-factors/passkey', statuses: [401, 200, 200] },
  {
    call: 'POST /api/user/second-factors/passkey/confirm',
    statuses: [401, 400, 400],
    prepare: at('/api/user/second-factors/passkey/confirm', { name: 'Key', response: {} }),
  },
  {
    call: 'DELETE /api/user/second-factors/:id',
    statuses: [401, 404, 404],
    prepare: at(`/api/user/second-factors/${NOBODY}`),
  },
  { call: 'POST /api/user/recovery-codes', statuses: [401, 404, 404] },
  {
    call: 'DELETE /api/admin/users/:id/second-factors',
    statuses: [401, 403, 404],
    prepare: user('/second-factors'),
  },
  {
    call: 'GET /api/unsubscribe/:token',
    statuses: [404, 404, 404],
    prepare: at('/api/unsubscribe/not-signed'),
  },
  {
    call: 'GET /api/unsubscribe/:token/list',
    statuses: [404, 404, 404],
    prepare: at('/api/unsubscribe/not-signed/list'),
  },
  {
    call: 'POST /api/unsubscribe/:token',
    statuses: [404, 404, 404],
    prepare: at('/api/unsubscribe/not-signed'),
  },
  {
    call: 'POST /api/unsubscribe/:token/undo',
    statuses: [404, 404, 404],
    prepare: at('/api/unsubscribe/not-signed/undo'),
  },
  {
    call: 'POST /api/admin/users/:id/send-reset-code',
    statuses: [401, 403, 202],
    prepare: user('/send-reset-code'),
  },
  { call: 'GET /api/admin/summary', statuses: [401, 403, 200] },
  { call: 'GET /api/admin/audit', statuses: [401, 403, 200] },
  { call: 'GET /api/admin/security-events', statuses: [401, 403, 200] },
  { call: 'GET /api/admin/system', statuses: [401, 403, 200] },
  { call: 'POST /api/admin/system/test-mail', statuses: [401, 403, 202] },
  { call: 'GET /api/openapi.json', statuses: [200, 200, 200] },
  { call: 'GET /api/docs', statuses: [200, 200, 200] },
  { call: 'GET /api/docs/:file', statuses: [200, 200, 200], prepare: at('/api/docs/swagger-ui.css') },
  {
    call: 'GET /media/avatars/:file',
    statuses: [404, 404, 404],
    prepare: at(`/media/avatars/${'0'.repeat(64)}.webp`),
  },
  {
    call: 'GET /media/banners/:file',
    statuses: [404, 404, 404],
    prepare: at(`/media/banners/${'0'.repeat(64)}.webp`),
  },
  { call: 'GET /sitemap.xml', statuses: [200, 200, 200] },
  { call: 'GET /robots.txt', statuses: [200, 200, 200] },
  { call: 'GET /events/:id', statuses: [404, 404, 404], prepare: at(`/events/${NOBODY}`) },
  { call: 'GET /*', statuses: [200, 200, 200], prepare: at('/') },
];
