import {
  AddGalleryPicture,
  ChangeGallery,
  GetGalleryPicture,
  HasGalleryPicture,
  RemoveGalleryPicture,
  ChangeRegistration,
  CheckIn,
  CheckMail,
  CreateAccount,
  CreateCalendarFeed,
  CreateEvent,
  DomainError,
  FindMailPreferences,
  GetAvatar,
  GetBanner,
  GetCalendarFeed,
  GetDoorSnapshot,
  ChangeEventSlug,
  type EventPage,
  GetEvent,
  GetEventCalendar,
  GetMemberCalendar,
  FindVenue,
  GetOwnCode,
  HasAvatar,
  ListAccounts,
  ListGuests,
  PromoteWaiting,
  Register,
  SendAccountResetCode,
  SetAccountAdmin,
  SetAccountPassword,
  Unregister,
  Unsubscribe,
  UpdateAccount,
  UpdateEvent,
  UpdateProfile,
  type DoorSnapshot,
  type ErrorBody,
  type Event,
  type Guest,
  type Identity,
  type Message,
  type PictureChange,
  type User,
} from '@meetmark/contracts';
import { signUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { createPng, withPicture } from '@meetmark/testing/factories/pictures';
import { anEventBody, anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import fc from 'fast-check';
import { localPath } from './auth/sign-in.controller.js';
import { gatewayForTests } from './testing/open-test-gateway.js';

const [DIET, FIRST] = [crypto.randomUUID(), crypto.randomUUID()];
const event = anEventPage({
  publicAttendees: [{ firstName: 'Ada', lastName: 'Lovelace', profileImageUrl: null }],
  content: {
    ...anEventPage().content,
    questions: [
      { id: DIET, kind: 'text', label: '@diet', required: true, options: [] },
      { id: FIRST, kind: 'yesNo', label: 'First time, or not?', required: false, options: [] },
    ],
  },
});
const TOKEN = 'a'.repeat(43);
let member: ApiClient;
let user: User;
let administrator: ApiClient;
let administratorId: string;
let registered = false;
let promotion: object | undefined;
let change: PictureChange | undefined;
const base: Record<'event' | 'profile' | 'account', number | undefined> = {
  event: undefined,
  profile: undefined,
  account: undefined,
};
let unsubscribed: object | undefined;
let stored = Buffer.alloc(0);
let standing = true;
const registration = aRegistration();
const snapshot: DoorSnapshot = {
  event: {
    ...{ id: event.id, title: event.title, startDate: event.startDate, endDate: event.endDate },
    cancelled: false,
  },
  expiresAt: event.endDate,
  counts: { registered: 60, checkedIn: 41 },
  guests: [],
};
const SECOND_GUEST = '0190b000-0000-7000-8000-0000000000a2';
const aGuest: Guest = {
  ...{
    id: registration.id,
    name: '=cmd|"/c calc"!A1',
    email: 'a@example.org',
    userId: null,
    profileImageUrl: null,
    unconfirmed: true,
  },
  ...{ state: 'registered', registeredAt: registration.registeredAt, note: '+1; -2', paidAt: null },
  ...{ checkedInAt: null, checkedInBy: null, noShow: false, answers: { [DIET]: '=1+1', [FIRST]: true } },
};
let asked: { message: string; request: object; caller: Identity | null } | undefined;
const noting = <Req extends object, Res>(message: Message<Req, Res>, answer: (request: Req) => Res) =>
  played(message, (request, { identity }) => {
    asked = { message: message.name, request: { ...request }, caller: identity };
    return answer(request);
  });
const waiting = { joinedAt: registration.registeredAt, position: 3 };

const stack = gatewayForTests({
  auth: scenes(
    played(UpdateProfile, ({ picture, version }, call) => {
      change = picture;
      base.profile = version;
      return stack.users.get(call.identity!.sub)!;
    }),
    played(GetAvatar, () => {
      if (!standing) throw new DomainError('PICTURE_NOT_FOUND');
      return { base64: stored.toString('base64') };
    }),
    played(HasAvatar, () => standing),
    played(Unsubscribe, (request) => void (unsubscribed = request)),
    played(FindMailPreferences, ({ userId }) =>
      userId === user.id
        ? { eventUpdates: true, reminders: false, messages: true, announcements: true, digest: true }
        : null,
    ),
    noting(ListAccounts, () => ({ items: [user], total: 1, nextCursor: null })),
    noting(CreateAccount, () => user),
    noting(UpdateAccount, ({ userId, version }) => {
      base.account = version;
      return stack.users.get(userId)!.user;
    }),
    noting(SetAccountPassword, () => user),
    noting(SetAccountAdmin, () => user),
    noting(SendAccountResetCode, () => undefined),
    noting(CheckMail, () => undefined),
  ),
  events: scenes(
    played(Register, ({ waitlist }) => {
      const created = !registered;
      registered = true;
      return { created, registration, waiting: waitlist ? waiting : undefined };
    }),
    played(ChangeRegistration, ({ showMe }) => ({ ...registration, showMe })),
    played(GetEvent, () => event),
    noting(ChangeEventSlug, () => event),
    noting(AddGalleryPicture, () => event),
    noting(ChangeGallery, () => event),
    noting(RemoveGalleryPicture, () => {}),
    played(GetGalleryPicture, () => ({ base64: stored.toString('base64') })),
    played(HasGalleryPicture, () => standing),
    played(PromoteWaiting, (request) => {
      promotion = request;
      return registration;
    }),
    played(ListGuests, ({ cursor }) =>
      cursor === undefined
        ? { items: [aGuest], total: 2, nextCursor: 'next' }
        : {
            items: [{ ...aGuest, id: SECOND_GUEST, name: 'Zoë', note: ' ＝1+1', answers: {} }],
            total: 2,
            nextCursor: null,
          },
    ),
    played(GetDoorSnapshot, ({ token }) => {
      if (token !== TOKEN) throw new DomainError('DOOR_LINK_ENDED');
      return snapshot;
    }),
    played(CheckIn, ({ token, items }) => {
      if (token !== TOKEN) throw new DomainError('DOOR_LINK_ENDED');
      return items.map(({ key }) => ({ key, result: 'unknown' as const }));
    }),
    played(FindVenue, ({ code }) => {
      if (code.length < 22) throw new Error('no code');
      return { eventId: event.id };
    }),
    played(GetOwnCode, () => ({ code: 'c'.repeat(22) })),
    played(Unregister, () => void (registered = false)),
    played(CreateEvent, ({ banner }) => {
      change = banner;
      return event;
    }),
    played(UpdateEvent, ({ version }) => {
      base.event = version;
      return event;
    }),
    played(GetBanner, () => ({ base64: stored.toString('base64') })),
    played(GetEventCalendar, () => ({ ics: 'BEGIN:VCALENDAR' })),
    played(GetMemberCalendar, () => ({ ics: 'BEGIN:VCALENDAR' })),
    played(GetCalendarFeed, () => null),
    played(CreateCalendarFeed, () => ({ createdAt: event.createdAt, token: TOKEN })),
  ),
});
beforeAll(async () => {
  ({ browser: member, user } = await stack.signedIn());
  const { browser, user: own } = await stack.signedIn({ isAdmin: true });
  [administrator, administratorId] = [browser, own.id];
});
const expectAsked = ({ name: message }: Message, request: object) =>
  expect(asked).toMatchObject({ message, request });

describe('registering for an event', () => {
  const path = `/api/events/${event.id}/register`;

  it('returns 201 for a new registration and 200 for a repeated one', async () => {
    const first = await member.post<{ message: string }>(path);
    const second = await member.post<{ message: string }>(path, {});
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.message).toContain('already registered');
  });

  it('returns the position on the waiting list if the waitlist flag is set', async () => {
    const message = (again: string) => `You are${again} on the waiting list`;
    const reply = await member.post(path, { waitlist: true });
    expect(reply).toMatchObject({ status: 200, body: { message: message(' already'), waiting } });
    await member.delete(path);
    const body = { message: message(''), registration, waiting };
    expect(await member.post(path, { waitlist: true })).toMatchObject({ status: 201, body });
  });

  it('returns the registration after a change of showMe', async () => {
    const changed = { ...registration, showMe: 'linkedin' };
    expect(await member.put(path, { showMe: 'linkedin' })).toMatchObject({ status: 200, body: changed });
    expect((await member.put(path)).status).toBe(400);
  });

  it('shows no public attendees unless the community allows them', async () => {
    const body = { details: { fields: { showMe: ['showMe cannot be public in this community'] } } };
    for (const send of [member.post, member.put])
      expect(await send.call(member, path, { showMe: 'public' })).toMatchObject({ status: 400, body });
    const details = path.slice(0, path.lastIndexOf('/'));
    for (const reader of [stack.browser(), member])
      expect((await reader.get<EventPage>(details)).body.publicAttendees).toEqual([]);
  });

  it('accepts a registration with a selected date but not with a user id', async () => {
    expect((await member.post(path, { selectedDate: '2030-05-01T09:00:00Z' })).status).toBe(200);
    expect((await member.post(path, { userId: user.id })).status).toBe(400);
  });

  it('returns 204 for unregistering, even without a registration', async () => {
    expect((await member.delete(path)).status).toBe(204);
    expect((await member.delete(path)).status).toBe(204);
  });
});

describe('the guest list as CSV', () => {
  const path = `/api/admin/events/${event.id}/guests.csv`;
  const head = `name,email,unconfirmed,state,registeredAt,checkedInAt,noShow,paidAt,note,'@diet,"First time, or not?"`;
  const second = `Zoë,a@example.org,true,registered,${aGuest.registeredAt},,false,,' ＝1+1,,`;
  it('exports every page of guests as CSV and escapes spreadsheet formulas', async () => {
    const { status, headers, text } = await administrator.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="guests.csv"');
    const first = `"'=cmd|""/c calc""!A1",a@example.org,true,registered,${aGuest.registeredAt},,false,,"'+1; '-2",'=1+1,true`;
    expect(text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([head, first, second, '']);
  });

  it.each([
    ['de', ';'],
    ['fr-FR,fr;q=0.9', ';'],
    ['en-GB', ','],
  ])('uses the CSV column separator of the reader’s language: %s', async (language, separator) => {
    const { text } = await administrator.get(path, { 'accept-language': language });
    expect(text.split('\r\n')[0]).toContain(`name${separator}email${separator}`);
    expect(text).toContain(`"'=cmd|""/c calc""!A1"${separator}`);
    expect(text).toContain(`"'+1; '-2"${separator}`);
  });

  it('exports only the requested guests as CSV', async () => {
    const { status, text } = await administrator.post<string>(path, { ids: [SECOND_GUEST.toUpperCase()] });
    expect(status).toBe(200);
    expect(text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([head, second, '']);
  });
});

describe('the door API', () => {
  const phone = (token = TOKEN) => stack.browser({ authorization: `Bearer ${token}` });
  const send = (count: number, client = phone()) => {
    const item = { key: event.id, guestId: aGuest.id, at: event.startDate };
    const items = Array.from({ length: count }, () => item);
    return client.post<ErrorBody>('/api/door/check-ins', { sentAt: event.startDate, items });
  };

  it('requires the token of the door link in a header', async () => {
    const known = await phone().get('/api/door');
    expect(known).toMatchObject({ status: 200, body: snapshot });
    for (const reply of [
      await phone('b'.repeat(43)).get<ErrorBody>('/api/door'),
      await phone('short').get<ErrorBody>('/api/door'),
      await member.get<ErrorBody>('/api/door'),
      await member.get<ErrorBody>(`/api/door?token=${TOKEN}`),
      await send(1, phone('b'.repeat(43))),
    ])
      expect([reply.status, reply.body.code]).toEqual([401, 'DOOR_LINK_ENDED']);
  });

  it('marks the guest list as private and returns 304 for a current copy', async () => {
    const { headers } = await phone().get('/api/door');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const again = await phone().get('/api/door', { 'if-none-match': headers.get('etag')! });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('accepts 500 check-ins in one request', async () => {
    expect((await send(500)).status).toBe(200);
  });

  it('gives members their check-in code and its URL', async () => {
    const reply = await member.get(`/api/my-events/${event.id}/code`);
    expect(reply.body).toEqual({ code: 'c'.repeat(22), url: `http://localhost:8080/c/${'c'.repeat(22)}` });
  });
});

describe('a scanned code', () => {
  it('returns the event of a venue’s code, or null for a malformed code', async () => {
    const visitor = stack.browser();
    expect((await visitor.get(`/api/codes/${'v'.repeat(22)}`)).body).toEqual({ eventId: event.id });
    const reply = await visitor.get('/api/codes/short');
    expect([reply.status, reply.body]).toEqual([200, { eventId: null }]);
    expect(reply.headers.get('cache-control')).toContain('no-store');
  });
});

describe('promoting someone on the waiting list', () => {
  it('raises the capacity for a promotion only when the administrator requests it', async () => {
    const person = { eventId: event.id, userId: user.id };
    const promote = (body?: object) =>
      administrator.post(`/api/events/${event.id}/waitlist/${user.id}/promote`, body);
    expect(await promote()).toMatchObject({ status: 200, body: registration });
    expect(promotion).toEqual(person);
    expect((await promote({ raiseCapacity: true })).status).toBe(200);
    expect(promotion).toEqual({ ...person, raiseCapacity: true });
  });
});

describe('the gallery of an event', () => {
  const path = `/api/events/${event.id}/gallery`;
  const id = '0190b000-0000-7000-8000-000000000009';

  it('adds, changes and removes images of a gallery', async () => {
    const added = { picture: withPicture(createPng(9, 6)), alt: '  The hall ' };
    expect((await administrator.post(path, added)).status).toBe(201);
    const picture = { width: 9, height: 6 };
    expectAsked(AddGalleryPicture, { eventId: event.id, alt: 'The hall', picture });
    for (const item of [{ id }, { id, alt: 'The hall', was: 'A hall' }]) {
      expect((await administrator.put(path, { pictures: [item] })).status).toBe(200);
      expectAsked(ChangeGallery, { eventId: event.id, pictures: [item] });
    }
    expect((await administrator.delete(`${path}/${id}`)).status).toBe(204);
    expectAsked(RemoveGalleryPicture, { eventId: event.id, pictureId: id });
    expect((await administrator.delete(`${path}/x`)).status).toBe(400);
  });

  it.each(['', 'https://evil.example/a.png', `/media/gallery/${'a'.repeat(64)}.webp`])(
    'refuses the gallery image %j, because it isn’t a data URL',
    async (picture) => {
      const { status, body } = await administrator.post<ErrorBody>(path, { picture, alt: 'The hall' });
      expect([status, Object.keys(body.details!.fields!)]).toEqual([400, ['picture']]);
    },
  );
});

describe('the slug of an event', () => {
  it('forwards a changed slug', async () => {
    const reply = await administrator.put(`/api/events/${event.id}/slug`, { slug: 'seo-breakfast' });
    expect(reply).toMatchObject({ status: 200, body: { id: event.id } });
    expectAsked(ChangeEventSlug, { eventId: event.id, slug: 'seo-breakfast' });
  });
});

describe('the base version of a change', () => {
  const put = async (what: keyof typeof base, body: object, header?: string) => {
    const path = {
      event: `/api/events/${event.id}`,
      profile: '/api/user/profile',
      account: `/api/admin/users/${user.id}`,
    }[what];
    base[what] = undefined;
    const headers: Record<string, string> = header === undefined ? {} : { 'if-match': header };
    const reply = await administrator.put<ErrorBody>(path, body, headers);
    return reply.status === 200 ? base[what] : reply.body.details?.fields;
  };

  it.each(['event', 'profile', 'account'] as const)(
    'takes the base version of the %s from the body or If-Match',
    async (what) => {
      expect(await put(what, { version: 3 })).toBe(3);
      for (const header of ['"3"', 'W/"3"', '3']) expect(await put(what, {}, header)).toBe(3);
      expect(await put(what, { version: 3 }, '"3"')).toBe(3);
      for (const none of [put(what, {}), put(what, { version: null }), put(what, {}, '*')])
        expect(await none).toBeUndefined();
    },
  );

  it('refuses an invalid If-Match header, or one that contradicts the body', async () => {
    for (const header of ['"a"', '"0"', '', '"1", "2"', '"9999999999"'])
      expect(await put('event', {}, header)).toHaveProperty('If-Match');
    expect(await put('event', { version: 2 }, '"3"')).toHaveProperty('If-Match');
  });
});

describe('user administration', () => {
  const fields = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const created = { ...fields, password: 'secret', isAdmin: false };
  const password = { newPassword: 'secret' };
  it.each<[string, string, object | undefined, number, Message, object]>([
    ['GET', '?q=ada&limit=20', undefined, 200, ListAccounts, { q: 'ada', limit: 20 }],
    ['POST', '', created, 201, CreateAccount, { ...created, id: expect.any(String) }],
    ['PUT', '/:id', { ...fields, version: 3 }, 200, UpdateAccount, { ...fields, version: 3 }],
    ['PUT', '/:id/reset-password', password, 200, SetAccountPassword, password],
    ['PUT', '/:id/toggle-admin', { isAdmin: true }, 200, SetAccountAdmin, { isAdmin: true }],
    ['POST', '/:id/send-reset-code', undefined, 202, SendAccountResetCode, {}],
  ])('forwards %s %s of user administration to auth', async (method, path, body, status, message, data) => {
    const url = `/api/admin/users${path.replace(':id', user.id)}`;
    expect((await administrator.send(method, url, body)).status).toBe(status);
    expect(asked).toMatchObject({
      message: message.name,
      request: path.startsWith('/:id') ? { ...data, userId: user.id } : data,
      caller: { sub: administratorId, isAdmin: true, confirmedAt: expect.any(Number) },
    });
  });
});

describe('the check of email DNS records', () => {
  it.each([
    ['s1', 's1'],
    ['', null],
    [undefined, null],
  ])('forwards the DKIM selector %j', async (selector, sent) => {
    expect((await administrator.post('/api/admin/mail-check', { selector })).status).toBe(202);
    expectAsked(CheckMail, { selector: sent });
  });
});

describe('changing a user', () => {
  const put = async (id: string, body: object) => {
    const fields = { email: user.email, firstName: 'A', lastName: 'B', isAdmin: false };
    const reply = await administrator.put<User & ErrorBody>(`/api/admin/users/${id}`, { ...fields, ...body });
    const { code, details, id: changed } = reply.body;
    return [reply.status, code ?? changed, ...Object.keys(details?.fields ?? {})];
  };

  it('accepts isAdmin together with a role unless they contradict each other', async () => {
    expect(await put(user.id, { isAdmin: false, role: 'organiser' })).toEqual([200, user.id]);
    expect(await put(user.id, { isAdmin: false, role: 'owner' })).toEqual([400, 'VALIDATION_FAILED', 'role']);
  });

  it('refuses a user id in the body that differs from the path', async () => {
    for (const id of [undefined, null, user.id, user.id.toUpperCase()])
      expect(await put(user.id, { id })).toEqual([200, user.id]);
    expect(await put(user.id, { id: event.id })).toEqual([400, 'ID_MISMATCH']);
  });

  it('reports an unknown user before other errors', async () => {
    for (const body of [{ id: user.id }, { email: 'nobody' }])
      expect(await put(event.id, body)).toEqual([404, 'USER_NOT_FOUND']);
  });
});

describe('images in a request body', () => {
  const profile = () => ({ email: user.email, firstName: 'A', lastName: 'B' });
  const put = (profileImageUrl: unknown) =>
    member.put<ErrorBody>('/api/user/profile', { ...profile(), profileImageUrl });

  it('re-encodes images before they reach the service', async () => {
    expect((await put(withPicture(createPng(9, 9)))).status).toBe(200);
    expect(change).toMatchObject({ action: 'store', picture: { width: 512, height: 512 } });
    const webp = Buffer.from(change!.picture!.base64, 'base64');
    expect(webp.toString('latin1', 8, 12)).toBe('WEBP');
  });

  it('keeps an image unless the field is null', async () => {
    const url = `/media/avatars/${'b'.repeat(64)}.webp`;
    await put(url);
    expect(change).toEqual({ action: 'keep', url });
    await put(null);
    expect(change).toEqual({ action: 'remove' });
    await member.put('/api/user/profile', profile());
    expect(change).toEqual({ action: 'keep' });
  });

  it.each(['https://evil.example/a.png', `/media/banners/${'b'.repeat(64)}.webp`, '/media/avatars/../a', 7])(
    'refuses an image that is not a stored profile photo: %s',
    async (value) => {
      const { status, body } = await put(value);
      expect([status, Object.keys(body.details!.fields!)]).toEqual([400, ['profileImageUrl']]);
    },
  );

  it('removes an event’s image when the field is an empty string', async () => {
    const reply = await administrator.post<Event>('/api/events', { ...anEventBody, bannerImageUrl: '' });
    expect([reply.status, reply.body.id]).toEqual([201, event.id]);
    expect(change).toEqual({ action: 'remove' });
  });

  it('refuses a cover pattern with an image, and crops of a removed image', async () => {
    const part = { x: 0, y: 0, zoom: 1 };
    const named = async (given: object) => {
      const { body } = await administrator.put<ErrorBody>(`/api/events/${event.id}`, given);
      return Object.keys(body.details?.fields ?? {});
    };
    const url = `/media/banners/${'c'.repeat(64)}.webp`;
    expect(await named({ bannerImageUrl: url, coverPattern: 3 })).toEqual(['coverPattern']);
    const crops = { coverSquare: part, coverWide: part };
    expect(await named({ bannerImageUrl: null, ...crops })).toEqual(['coverSquare', 'coverWide']);
    expect(await named({ coverPattern: 3, coverSquare: part })).toEqual([]);
  });
});

describe('a stored banner', () => {
  it('caches a stored banner forever and reads it from the service once', async () => {
    stored = Buffer.from('RIFF....WEBP');
    const path = `/media/banners/${'c'.repeat(64)}.webp`;
    const first = await stack.browser().get(path);
    expect(first.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([first.headers.get('content-type'), first.text]).toEqual(['image/webp', 'RIFF....WEBP']);
    stored = Buffer.from('not asked for again');
    expect((await stack.browser().get(path)).text).toBe('RIFF....WEBP');
    const tag = first.headers.get('etag')!;
    expect((await stack.browser().get(path, { 'if-none-match': tag })).status).toBe(304);
  });
});

describe.each([
  ["a member's photo", `/media/avatars/${'e'.repeat(64)}.webp`],
  ['a gallery image', `/media/gallery/${'e'.repeat(64)}.webp`],
  ['a narrower gallery image', `/media/gallery/${'f'.repeat(64)}.webp?width=480`],
])('%s', (_name, path) => {
  it('checks on each request whether an image still exists, but reads it once', async () => {
    stored = Buffer.from('RIFF.a face.WEBP');
    standing = true;
    const first = await stack.browser().get(path);
    expect([first.status, first.text]).toEqual([200, 'RIFF.a face.WEBP']);
    expect(first.headers.get('cache-control')).toBe('no-cache');
    stored = Buffer.from('not asked for again');
    expect((await stack.browser().get(path)).text).toBe('RIFF.a face.WEBP');
    const known = { 'if-none-match': first.headers.get('etag')! };
    expect((await stack.browser().get(path, known)).status).toBe(304);
    standing = false;
    expect((await stack.browser().get(path)).status).toBe(404);
    expect((await stack.browser().get(path, known)).status).toBe(404);
  });
});

describe('the redirect to the sign-in', () => {
  it.each([
    ['/api/login', '/?signin=1'],
    ['/api/login?returnTo=/events%3Fq=a', '/?signin=1&returnTo=%2Fevents%3Fq%3Da'],
    ['/api/login?returnTo=https://evil.example', '/?signin=1'],
    ['/api/login?returnTo=/a&returnTo=/b', '/?signin=1'],
  ])('redirects %s to %s', async (path, location) => {
    const reply = await stack.browser().get(path);
    expect([reply.status, reply.headers.get('location')]).toEqual([302, location]);
  });

  it.each([
    ['/my-events', '/my-events'],
    ['/', '/'],
    ['my-events', null],
    ['https://evil.example', null],
    ['//evil.example', null],
    ['/\\evil.example', null],
    ['/a\\b', null],
    ['/a/../events?q=a#b', '/events?q=a#b'],
    ['javascript:alert(1)', null],
    [['/a'], null],
    [undefined, null],
  ])('accepts only a local path as returnTo: %j', (given, expected) => {
    expect(localPath(given)).toBe(expected);
  });
});

describe('localPath', () => {
  it('returns null or a path on this site, and is idempotent', () => {
    const pieces = [...'/\\.\t\n:@?#a', '..', '%2e', '%2F', '%5c', 'evil.example'];
    const typed = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 8 });
    const site = 'https://meetmark.example';
    fc.assert(
      fc.property(typed, (parts) => {
        const path = localPath(`/${parts.join('')}`);
        if (path === null) return;
        expect(new URL(path, site).origin).toBe(site);
        expect(localPath(path)).toBe(path);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('calendars', () => {
  it('sends an event as an iCalendar file', async () => {
    const reply = await stack.browser().get(`/api/events/${event.id}/calendar.ics`);
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toContain('event.ics');
  });

  it('sends a member’s calendar to anyone with its URL', async () => {
    expect((await member.get('/api/user/calendar-feed')).body).toBeNull();
    const { body } = await member.post<{ url: string }>('/api/user/calendar-feed');
    expect(body.url).toBe(`http://localhost:8080/api/calendar/${TOKEN}.ics`);
    const feed = await stack.browser().get(new URL(body.url).pathname);
    expect([feed.status, feed.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect((await stack.browser().get('/api/calendar/guess.ics')).status).toBe(404);
  });
});

describe('unsubscribing by an email link', () => {
  const path = (secrets: string[]) =>
    `/api/unsubscribe/${signUnsubscribe({ userId: user.id, list: 'reminders' }, secrets)}`;
  beforeEach(() => (unsubscribed = undefined));

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/json', '{"List-Unsubscribe":"One-Click"}'],
    ['application/json', '{'],
  ])('accepts one-click unsubscribe by an email program as %s: %j', async (type, body) => {
    const headers = { 'content-type': type, 'sec-fetch-site': 'cross-site' };
    const { status } = await stack.browser().post(path(stack.config.linkSecrets), body, headers);
    expect([status, unsubscribed]).toEqual([200, { userId: user.id, reminders: false }]);
  });

  it('redirects an unsubscribe link to a page in the email’s language', async () => {
    const address = path(stack.config.linkSecrets);
    const led = async (query: string) => (await stack.browser().get(address + query)).headers.get('location');
    expect(await led('?locale=de')).toMatch(/^\/unsubscribe\?token=[^&]+&locale=de$/);
    for (const query of ['', '?locale=xx', '?locale=de&locale=en-GB'])
      expect(await led(query)).toMatch(/^\/unsubscribe\?token=[^&]+$/);
  });

  it('changes no subscription on GET requests', async () => {
    const address = path(stack.config.linkSecrets);
    const list = await stack.browser().get(`${address}/list`);
    expect([list.status, list.body]).toEqual([200, { list: 'reminders', subscribed: false }]);
    for (const action of ['', '/undo'])
      expect((await stack.browser().get(address + action)).status).not.toBe(200);
    expect(unsubscribed).toBeUndefined();
  });

  it('undoes an unsubscribe only if the request comes from this site', async () => {
    const address = `${path(stack.config.linkSecrets)}/undo`;
    const elsewhere = await stack.browser().post(address, undefined, { 'sec-fetch-site': 'cross-site' });
    expect([elsewhere.status, unsubscribed]).toEqual([403, undefined]);
    expect((await stack.browser().post(address)).status).toBe(200);
    expect(unsubscribed).toEqual({ userId: user.id, reminders: true });
  });

  it('unsubscribes the member in the link, even when someone else is signed in', async () => {
    const userId = '01999999-0000-7000-8000-000000000042';
    const token = signUnsubscribe({ userId, list: 'eventUpdates' }, stack.config.linkSecrets);
    expect((await member.post(`/api/unsubscribe/${token}`)).status).toBe(200);
    expect(unsubscribed).toEqual({ userId, eventUpdates: false });
    const gone = await member.get(`/api/unsubscribe/${token}/list`);
    expect([gone.status, (gone.body as ErrorBody).code]).toEqual([404, 'UNSUBSCRIBE_LINK_INVALID']);
  });

  it('requires a valid signature in an unsubscribe link', async () => {
    const forged = path(['a-secret-that-somebody-else-has-made-up']);
    for (const address of [forged, `${forged}/undo`])
      expect((await stack.browser().post(address)).status).toBe(404);
    for (const address of [forged, `${forged}/list`])
      expect((await stack.browser().get(address)).status).toBe(404);
    expect(unsubscribed).toBeUndefined();
  });
});
