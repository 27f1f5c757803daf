import type { User } from '@meetmark/contracts';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import { ACCESS_TABLE } from '@meetmark/gateway/testing/access-table';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import { NOBODY, type People, type Person } from './people.js';

interface PreparedCall {
  path?: string;
  body?: unknown;
}

interface Story {
  status?: number;
  ownSession?: true;
  prepare?: (people: People, caller: Person) => PreparedCall | Promise<PreparedCall>;
}

const UNSIGNED = '/api/unsubscribe/not-signed';
const event =
  (suffix = '', body?: unknown) =>
  async (people: People) => ({
    path: `/api/events/${(await people.createEvent()).id}${suffix}`,
    body,
  });
const ownPlace = async (people: People, { client }: Person) => {
  const path = `/api/events/${(await people.createEvent()).id}/register`;
  await client.expect(201, 'POST', path);
  return { path, body: { showMe: 'no' } };
};
const draft = (suffix: string) => async (people: People) => ({
  path: `/api/events/${(await people.createEvent({ status: 'draft' })).id}${suffix}`,
});
const waiting = (suffix: string) => async (people: People) => {
  const event = `/api/events/${(await people.createEvent({ capacity: 1, waitlistEnabled: true })).id}`;
  await people.administrator.expect(201, 'POST', `${event}/register`);
  const { client, user } = await people.addMember();
  await client.expect(201, 'POST', `${event}/register`, { waitlist: true });
  const registrationClosesAt = new Date(Date.now() - 60_000).toISOString();
  await people.administrator.expect(200, 'PUT', event, { registrationClosesAt, capacity: 2 });
  return { path: `${event}/waitlist/${user.id}${suffix}` };
};
const guest =
  (suffix = '', body?: unknown) =>
  async (people: People) => {
    const path = `/api/admin/events/${(await people.createEvent()).id}/guests`;
    const { id } = await people.administrator.expect<{ id: string }>(201, 'POST', path, {
      name: 'Grace Guest',
    });
    return { path: `${path}/${id}${suffix}`, body };
  };
const chosenGuests = async (people: People) => {
  const { path } = await guest()(people);
  const slash = path.lastIndexOf('/');
  return { path: `${path.slice(0, slash)}/remove`, body: { ids: [path.slice(slash + 1)] } };
};
const managed = (suffix: string, body?: unknown) => async (people: People) => ({
  path: `/api/admin/events/${(await people.createEvent()).id}${suffix}`,
  body,
});
const TEXT = { subject: 'A new room', body: 'We meet **upstairs**.' };
const aMessage = (more: object) => ({ ...TEXT, segment: 'registered', ...more });
const messages = (suffix: string, body?: unknown) => async (people: People) => ({
  path: `/api/admin/events/${(await people.createEvent()).id}/messages${suffix}`,
  body,
});
const message = (suffix: string, body?: unknown) => async (people: People) => {
  const { path } = await messages('')(people);
  const made = await people.administrator.expect<{ id: string }>(
    201,
    'POST',
    path,
    aMessage({ draft: true }),
  );
  return { path: `${path}/${made.id}${suffix}`, body };
};
const NOW = new Date().toISOString();
const doorLink = async (people: People) => {
  const path = `/api/admin/events/${(await people.createEvent()).id}/door-links`;
  const { id } = await people.administrator.expect<{ id: string }>(201, 'POST', path);
  return { path: `${path}/${id}` };
};
const ownCode = async (people: People, { client }: Person) => {
  const { id } = await people.createEvent();
  await client.expect(201, 'POST', `/api/events/${id}/register`);
  return { path: `/api/my-events/${id}/code` };
};
const atVenue = async (people: People, { client }: Person) => {
  const { id } = await people.createEvent({ startsIn: 3_600_000 });
  await client.expect(201, 'POST', `/api/events/${id}/register`);
  const { venueCode } = await people.administrator.expect<{ venueCode: string }>(
    200,
    'GET',
    `/api/admin/events/${id}/door`,
  );
  return { path: `/api/events/${id}/check-in`, body: { venueCode } };
};
const user = (suffix: string, body?: (user: User) => unknown) => async (people: People) => {
  const { user: subject } = await people.addMember('Subject');
  return { path: `/api/admin/users/${subject.id}${suffix}`, body: body?.(subject) };
};
const at = (path: string) => () => ({ path });
const sending = (body: () => unknown) => () => ({ body: body() });
const ofNobody = () => ({ email: newcomer().email });

/**
 * A valid request for each call of the access table. Calls that are missing here need no data and return 200.
 */
const STORIES: Record<string, Story> = {
  'POST /api/login': {
    ownSession: true,
    prepare: (_, caller) => ({ body: { email: caller.person.email, password: 'correct horse' } }),
  },
  'POST /api/register': { status: 201, ownSession: true, prepare: sending(newcomer) },
  'DELETE /api/user': {
    status: 204,
    ownSession: true,
  },
  'POST /api/login/restore': { status: 401 },
  'POST /api/logout': { status: 204, ownSession: true },
  'POST /api/reset-password': {
    status: 400,
    prepare: sending(() => ({ ...ofNobody(), token: '000000', newPassword: 'new horse' })),
  },
  'PUT /api/user/change-password': {
    ownSession: true,
    prepare: sending(() => ({ currentPassword: 'correct horse', newPassword: 'another horse' })),
  },
  'PUT /api/user/profile': {
    prepare: (_, caller) => ({
      body: { email: caller.person.email, firstName: 'Nora', lastName: 'Newcomer' },
    }),
  },
  'GET /api/events/:id/attendees': { prepare: event('/attendees') },
  'GET /api/event-faces': {
    prepare: async (people) => ({
      path: `/api/event-faces?eventIds=${(await people.createEvent()).id}`,
    }),
  },
  'GET /api/events/:id/count': { prepare: event('/count') },
  'POST /api/events/:id/register': { status: 201, prepare: event('/register') },
  'DELETE /api/events/:id/register': { status: 204, prepare: event('/register') },
  'POST /api/events': { status: 201, prepare: sending(eventFields) },
  'PUT /api/events/:id': { prepare: event('', eventFields()) },
  'DELETE /api/events/:id': { status: 204, prepare: event() },
  'POST /api/admin/users': { status: 201, prepare: sending(() => ({ ...newcomer(), isAdmin: false })) },
  'PUT /api/admin/users/:id': {
    prepare: user('', ({ id, email }) => ({ id, email, firstName: 'A', lastName: 'B', isAdmin: false })),
  },
  'DELETE /api/admin/users/:id': { status: 204, prepare: user('') },
  'PUT /api/admin/users/:id/reset-password': {
    prepare: user('/reset-password', () => ({ newPassword: 'Abcd1234' })),
  },
  'PUT /api/admin/users/:id/toggle-admin': { prepare: user('/toggle-admin', () => ({ isAdmin: false })) },
  'GET /api/login': { status: 302 },
  'GET /api/logout': { status: 302, ownSession: true },
  'POST /api/forgot-password': { status: 202, prepare: sending(ofNobody) },
  'POST /api/sign-in-code': { status: 202, prepare: sending(ofNobody) },
  'GET /api/confirm': { prepare: at('/api/confirm?purpose=verify') },
  'POST /api/confirm': { status: 400, prepare: sending(() => ({ purpose: 'sign-in', code: '123456' })) },
  'POST /api/confirm/link': { status: 400, prepare: sending(() => ({ token: 'x'.repeat(22) })) },
  'POST /api/revert-email': { status: 400, prepare: sending(() => ({ token: 'x'.repeat(22) })) },
  'POST /api/user/verification': { status: 409 },
  'POST /api/user/pending-email/code': { status: 400 },
  'POST /api/events/:id/rsvp': {
    status: 409,
    prepare: event('/rsvp', { email: newcomer().email, firstName: 'Nora', lastName: 'Newcomer' }),
  },
  'POST /api/rsvp/confirm': {
    status: 400,
    prepare: sending(() => ({ flow: 'x'.repeat(22), code: '123456' })),
  },
  'PUT /api/events/:id/register': { prepare: ownPlace },
  'GET /api/events/:id': { prepare: event() },
  'GET /api/events/:id/registrations': { prepare: event('/registrations') },
  'GET /api/events/:id/waitlist': { prepare: event('/waitlist') },
  'GET /api/admin/events/:id/activity': {
    prepare: async (people) => ({
      path: `/api/admin/events/${(await people.createEvent()).id}/activity`,
    }),
  },
  'GET /api/admin/events/:id/answers': { prepare: managed('/answers') },
  'POST /api/events/:id/waitlist/:userId/promote': { prepare: waiting('/promote') },
  'DELETE /api/events/:id/waitlist/:userId': { status: 204, prepare: waiting('') },
  'GET /api/admin/events/:id/guests': { prepare: managed('/guests') },
  'GET /api/admin/events/:id/guests.csv': { prepare: managed('/guests.csv') },
  'POST /api/admin/events/:id/guests.csv': { prepare: managed('/guests.csv', { ids: [NOBODY] }) },
  'POST /api/admin/events/:id/guests': { status: 201, prepare: managed('/guests', { name: 'Grace Guest' }) },
  'PATCH /api/admin/events/:id/guests/:guestId': { prepare: guest('', { paid: true }) },
  'POST /api/admin/events/:id/guests/:guestId/place': { prepare: guest('/place') },
  'DELETE /api/admin/events/:id/guests/:guestId': { status: 204, prepare: guest('', { reason: 'Rain' }) },
  'POST /api/admin/events/:id/guests/remove': { status: 204, prepare: chosenGuests },
  'GET /api/admin/events/:id/door': { prepare: managed('/door') },
  'POST /api/admin/events/:id/door-links': { status: 201, prepare: managed('/door-links') },
  'DELETE /api/admin/events/:id/door-links/:linkId': { status: 204, prepare: doorLink },
  'GET /api/door': { status: 401 },
  'GET /api/codes/:code': { prepare: at(`/api/codes/${'x'.repeat(22)}`) },
  'POST /api/door/check-ins': { status: 401, prepare: sending(() => ({ sentAt: NOW, items: [] })) },
  'POST /api/door/walk-ins': {
    status: 401,
    prepare: sending(() => ({ key: NOBODY, name: 'Grace Guest', at: NOW, sentAt: NOW })),
  },
  'GET /api/my-events/:id/code': { prepare: ownCode },
  'POST /api/events/:id/check-in': { prepare: atVenue },
  'POST /api/events/:id/publish': { prepare: draft('/publish') },
  'POST /api/events/:id/cancel': { prepare: event('/cancel', { reason: 'The hall is flooded' }) },
  'PUT /api/events/:id/slug': { prepare: event('/slug', { slug: `renamed-${NOBODY}` }) },
  'POST /api/events/:id/gallery': {
    status: 201,
    prepare: event('/gallery', { picture: withPicture(createPng(10, 10)), alt: 'The hall' }),
  },
  'PUT /api/events/:id/gallery': { prepare: event('/gallery', { pictures: [] }) },
  'DELETE /api/events/:id/gallery/:pictureId': { status: 204, prepare: event(`/gallery/${NOBODY}`) },
  'GET /api/events/:id/preview': { prepare: draft('/preview') },
  'POST /api/events/:id/preview': { status: 201, prepare: draft('/preview') },
  'DELETE /api/events/:id/preview': { status: 204, prepare: draft('/preview') },
  'GET /api/admin/events/:id/messages': { prepare: messages('') },
  'POST /api/admin/events/:id/messages': { status: 201, prepare: messages('', aMessage({ draft: true })) },
  'GET /api/admin/events/:id/messages/audience': { prepare: messages('/audience') },
  'POST /api/admin/events/:id/messages/preview': { prepare: messages('/preview', TEXT) },
  'POST /api/admin/events/:id/messages/test': { status: 202, prepare: messages('/test', TEXT) },
  'GET /api/admin/events/:id/messages/:messageId': { prepare: message('') },
  'PUT /api/admin/events/:id/messages/:messageId': { prepare: message('', aMessage({ draft: true })) },
  'DELETE /api/admin/events/:id/messages/:messageId': { status: 204, prepare: message('') },
  'GET /api/admin/events/:id/messages/:messageId/recipients': { prepare: message('/recipients') },
  'GET /api/event-slugs/:slug': { status: 404, prepare: at('/api/event-slugs/nobodys') },
  'GET /api/event-previews/:token': { status: 404, prepare: at(`/api/event-previews/${'x'.repeat(43)}`) },
  'POST /api/events/:id/series': { status: 201, prepare: event('/series', { every: 'week', count: 2 }) },
  'GET /api/admin/members/search': { prepare: at('/api/admin/members/search?q=ada') },
  'GET /api/admin/events/:id/members/search': { prepare: managed('/members/search?q=ada') },
  'POST /api/events/:id/host-messages': {
    status: 202,
    prepare: event('/host-messages', { message: 'May I bring my dog?' }),
  },
  'POST /api/events/:id/host-messages/code': {
    status: 202,
    prepare: event('/host-messages/code', { email: newcomer().email }),
  },
  'POST /api/events/:id/host-messages/visitor': {
    status: 400,
    prepare: event('/host-messages/visitor', {
      ...{ message: 'May I bring my dog?', name: 'Vera', flow: 'x'.repeat(22), code: '123456' },
    }),
  },
  'POST /api/proposals': {
    status: 201,
    prepare: sending(() => {
      const { title, startDate, endDate } = eventFields();
      return { title, startDate, endDate };
    }),
  },
  'POST /api/admin/proposals/:id/accept': {
    status: 404,
    prepare: at(`/api/admin/proposals/${NOBODY}/accept`),
  },
  'POST /api/admin/proposals/:id/decline': {
    status: 404,
    prepare: () => ({ path: `/api/admin/proposals/${NOBODY}/decline`, body: { words: 'Not this year' } }),
  },
  'PUT /api/event-roles/:id/:role': {
    prepare: async (people, { user: { id } }) => {
      const { id: eventId } = await people.createEvent({ hosts: [id] });
      return { path: `/api/event-roles/${eventId}/host`, body: { agreed: true } };
    },
  },
  'POST /api/admin/imports': { status: 201, prepare: sending(() => ({ fileName: 'events.csv' })) },
  'POST /api/admin/imports/fetch': {
    status: 404,
    prepare: sending(() => ({ url: 'https://example.org/events.ics' })),
  },
  'GET /api/admin/imports/:id/rows': { status: 404, prepare: at(`/api/admin/imports/${NOBODY}/rows`) },
  'POST /api/admin/imports/:id/rows': {
    status: 404,
    prepare: () => ({ path: `/api/admin/imports/${NOBODY}/rows`, body: { rows: [] } }),
  },
  'POST /api/admin/imports/:id/continue': {
    status: 404,
    prepare: at(`/api/admin/imports/${NOBODY}/continue`),
  },
  'POST /api/admin/imports/:id/undo': { status: 404, prepare: at(`/api/admin/imports/${NOBODY}/undo`) },
  'POST /api/topics': { status: 201, prepare: sending(() => ({ name: 'Search' })) },
  'PUT /api/topics/:id': {
    status: 404,
    prepare: () => ({ path: `/api/topics/${NOBODY}`, body: { name: 'Renamed' } }),
  },
  'DELETE /api/topics/:id': { status: 404, prepare: at(`/api/topics/${NOBODY}`) },
  'POST /api/topics/:id/merge': {
    status: 404,
    prepare: () => ({ path: `/api/topics/${NOBODY}/merge`, body: { into: crypto.randomUUID() } }),
  },
  'PUT /api/user/topics/:id': { status: 404, prepare: at(`/api/user/topics/${NOBODY}`) },
  'DELETE /api/user/topics/:id': { status: 204, prepare: at(`/api/user/topics/${NOBODY}`) },
  'POST /api/subscriptions': {
    status: 202,
    prepare: sending(() => ({ email: newcomer().email, digest: true })),
  },
  'POST /api/subscriptions/confirm': { status: 404, prepare: sending(() => ({ token: 'not-signed' })) },
  'GET /feeds/:file': { prepare: at('/feeds/events.rss') },
  'GET /feeds/topics/:file': { status: 404, prepare: at('/feeds/topics/nothing.rss') },
  'GET /api/events/:id/calendar.ics': { prepare: event('/calendar.ics') },
  'GET /api/calendar/:token.ics': { status: 404, prepare: at(`/api/calendar/${'x'.repeat(43)}.ics`) },
  'POST /api/user/calendar-feed': { status: 201 },
  'DELETE /api/user/calendar-feed': { status: 204 },
  'POST /api/user/export': { status: 202 },
  'GET /api/user/export/file': { status: 404 },
  'PUT /api/user/mail-preferences': {
    prepare: sending(() => ({ eventUpdates: true, reminders: false, messages: true })),
  },
  'POST /api/login/second-factor': { status: 401, prepare: sending(() => ({ code: '000000' })) },
  'POST /api/login/second-factor/passkey': { status: 401 },
  'GET /api/user/confirm': { status: 204 },
  'POST /api/user/consents': { status: 204, prepare: sending(() => ({})) },
  'POST /api/user/confirm': { status: 204, prepare: sending(() => ({ password: 'correct horse' })) },
  'DELETE /api/user/sessions': { status: 204 },
  'DELETE /api/user/sessions/:id': { status: 404, prepare: at(`/api/user/sessions/${NOBODY}`) },
  'POST /api/user/second-factors/totp/confirm': {
    status: 400,
    prepare: sending(() => ({ name: 'Phone', code: '000000' })),
  },
  'POST /api/user/second-factors/passkey/confirm': {
    status: 400,
    prepare: sending(() => ({ name: 'Key', response: {} })),
  },
  'DELETE /api/user/second-factors/:id': { status: 404, prepare: at(`/api/user/second-factors/${NOBODY}`) },
  'POST /api/user/recovery-codes': { status: 404 },
  'DELETE /api/admin/users/:id/second-factors': { status: 404, prepare: user('/second-factors') },
  'GET /api/unsubscribe/:token': { status: 404, prepare: at(UNSIGNED) },
  'GET /api/unsubscribe/:token/list': { status: 404, prepare: at(`${UNSIGNED}/list`) },
  'POST /api/unsubscribe/:token': { status: 404, prepare: at(UNSIGNED) },
  'POST /api/unsubscribe/:token/undo': { status: 404, prepare: at(`${UNSIGNED}/undo`) },
  'GET /api/admin/users/:id/activity': { prepare: user('/activity') },
  'POST /api/admin/users/:id/send-reset-code': { status: 202, prepare: user('/send-reset-code') },
  'POST /api/admin/system/test-mail': { status: 202 },
  'POST /api/admin/mail-check': { status: 202, prepare: sending(() => ({ selector: 'mail' })) },
  'GET /api/setup': { status: 404 },
  'POST /api/setup': {
    status: 404,
    prepare: () => ({
      body: {
        token: 'A'.repeat(22),
        owner: { email: 'a@b.example', firstName: 'A', lastName: 'B', password: 'correct horse' },
      },
    }),
  },
  'GET /api/legal/:page': { status: 200, prepare: at('/api/legal/terms') },
  'GET /api/admin/settings/palettes': {
    prepare: at('/api/admin/settings/palettes?brandColour=%238a1c4a'),
  },
  'PUT /api/admin/settings': { prepare: () => ({ body: { weekStart: 'locale' } }) },
  'POST /api/admin/settings/import': {
    prepare: async (people) => ({
      body: await people.administrator.expect(200, 'GET', '/api/admin/settings/export'),
    }),
  },
  'GET /media/community/:file': { status: 404, prepare: at(`/media/community/${'0'.repeat(64)}.webp`) },
  'GET /api/docs/:file': { prepare: at('/api/docs/swagger-ui.css') },
  'GET /media/avatars/:file': { status: 404, prepare: at(`/media/avatars/${'0'.repeat(64)}.webp`) },
  'GET /media/banners/:file': { status: 404, prepare: at(`/media/banners/${'0'.repeat(64)}.webp`) },
  'GET /media/maps/:file': { status: 404, prepare: at(`/media/maps/${NOBODY}.webp`) },
  'GET /media/gallery/:file': { status: 404, prepare: at(`/media/gallery/${'0'.repeat(64)}.webp`) },
  'GET /media/patterns/:file': { status: 404, prepare: at('/media/patterns/0-0.svg') },
  'GET /media/share/:file': { status: 404, prepare: at(`/media/share/${NOBODY}-1.jpg`) },
  'GET /e/:slug': { status: 404, prepare: at('/e/nobodys') },
  'GET /events/:id': { status: 404, prepare: at(`/events/${NOBODY}`) },
  'GET /icons/:file': { prepare: at('/icons/192.png') },
  'GET /*': { prepare: at('/') },
};

const unknown = Object.keys(STORIES).filter(
  (call) => !ACCESS_TABLE.some(({ method, path }) => call === `${method} ${path}`),
);
if (unknown.length > 0) throw new Error(`The access table has no ${unknown.join(', ')}`);

export interface CallStory extends Omit<Story, 'status'> {
  call: string;
  status: number;
}

export const CALL_STORIES: CallStory[] = ACCESS_TABLE.map(({ method, path }) => {
  const call = `${method} ${path}`;
  return { call, status: 200, ...STORIES[call] };
});
