import { jest } from '@jest/globals';
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
  type RegistrationAnswer,
  type User,
} from '@meetmark/contracts';
import { signUnsubscribe } from '@meetmark/platform/identity/unsubscribe-link';
import { played, scenes } from '@meetmark/platform/testing/play-services';
import { anEventBody, anEventPage, aRegistration } from '@meetmark/testing/factories/samples';
import { ApiClient } from '@meetmark/testing/http-client';
import fc from 'fast-check';
import sharp from 'sharp';
import { localPath } from './auth/sign-in.controller.js';
import { Services } from './services.js';
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
});

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
    const reply = await member.post<RegistrationAnswer>(path, { waitlist: true });
    expect(reply).toMatchObject({ status: 200, body: { message: message(' already'), waiting } });
    await member.delete(path);
    expect(await member.post<RegistrationAnswer>(path, { waitlist: true })).toMatchObject({
      status: 201,
      body: { message: message(''), registration, waiting },
    });
  });

  it.each([[[]], [{ [DIET]: 1 }], [{ [DIET]: ['Nuts'] }], [null], ['Nuts']])(
    'refuses a registration with the answers %j',
    async (answers) => {
      const reply = await member.post<ErrorBody>(path, { answers });
      expect([reply.status, Object.keys(reply.body.details!.fields!)]).toEqual([400, ['answers']]);
    },
  );

  it.each(['', 'yes', true, 1])('refuses a registration with %j as showMe', async (showMe) => {
    for (const send of [member.post, member.put])
      expect(await send.call(member, path, { showMe })).toMatchObject({
        status: 400,
        body: {
          details: { fields: { showMe: ['showMe must be one of no, name, linkedin, public'] } },
        },
      });
  });

  it('returns the registration after a change of showMe', async () => {
    const changed = { ...registration, showMe: 'linkedin' };
    expect(await member.put(path, { showMe: 'linkedin' })).toMatchObject({ status: 200, body: changed });
    expect((await member.put(path)).status).toBe(400);
  });

  it('shows no public attendees unless the community allows them', async () => {
    for (const send of [member.post, member.put])
      expect(await send.call(member, path, { showMe: 'public' })).toMatchObject({
        status: 400,
        body: { details: { fields: { showMe: ['showMe cannot be public in this community'] } } },
      });
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
  it('exports every page of guests as CSV and escapes spreadsheet formulas', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const { status, headers, text } = await browser.get(`/api/admin/events/${event.id}/guests.csv`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="guests.csv"');
    expect(text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([
      `name,email,unconfirmed,state,registeredAt,checkedInAt,noShow,paidAt,note,'@diet,"First time, or not?"`,
      `"'=cmd|""/c calc""!A1",a@example.org,true,registered,${aGuest.registeredAt},,false,,"'+1; '-2",'=1+1,true`,
      `Zoë,a@example.org,true,registered,${aGuest.registeredAt},,false,,' ＝1+1,,`,
      '',
    ]);
  });

  it.each([
    ['de', ';'],
    ['fr-FR,fr;q=0.9', ';'],
    ['en-GB', ','],
  ])('uses the CSV column separator of the reader’s language: %s', async (language, separator) => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const path = `/api/admin/events/${event.id}/guests.csv`;
    const { text } = await browser.get(path, { 'accept-language': language });
    expect(text.split('\r\n')[0]).toContain(`name${separator}email${separator}`);
    expect(text).toContain(`"'=cmd|""/c calc""!A1"${separator}`);
    expect(text).toContain(`"'+1; '-2"${separator}`);
  });

  it('exports only the requested guests as CSV', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const path = `/api/admin/events/${event.id}/guests.csv`;
    const { status, text } = await browser.post<string>(path, { ids: [SECOND_GUEST.toUpperCase()] });
    expect(status).toBe(200);
    expect(text.replace(/^\uFEFF/, '').split('\r\n')).toEqual([
      `name,email,unconfirmed,state,registeredAt,checkedInAt,noShow,paidAt,note,'@diet,"First time, or not?"`,
      `Zoë,a@example.org,true,registered,${aGuest.registeredAt},,false,,' ＝1+1,,`,
      '',
    ]);
    expect((await browser.post(path, { ids: ['1'] })).status).toBe(400);
    expect((await browser.post(path, { ids: Array.from({ length: 501 }, () => SECOND_GUEST) })).status).toBe(
      400,
    );
  });
});

describe('the door API', () => {
  const phone = (token = TOKEN) => stack.browser({ authorization: `Bearer ${token}` });
  const items = (count: number) =>
    Array.from({ length: count }, () => ({ key: event.id, guestId: aGuest.id, at: event.startDate }));
  const send = (count: number, client = phone()) =>
    client.post<ErrorBody>('/api/door/check-ins', { sentAt: event.startDate, items: items(count) });

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

  it('accepts 500 check-ins in one request and names invalid fields', async () => {
    expect((await send(500)).status).toBe(200);
    const fields = async (body: object) =>
      (await phone().post<ErrorBody>('/api/door/check-ins', body)).body.details?.fields;
    const at = event.startDate;
    expect(await fields({ sentAt: at, items: items(501).map(({ key }) => ({ key })) })).toMatchObject({
      items: ['items must have at most 500 items'],
    });
    expect(
      await fields({ sentAt: 'now', items: [{ key: event.id, at, guestId: aGuest.id, undo: event.id }] }),
    ).toEqual({
      sentAt: ['sentAt must be an ISO 8601 date and time with a zone, in a year from 1900 to 2999'],
      items: ['items[0] needs one of guestId, code and undo'],
    });
  });

  it('limits door requests per link, not per network', async () => {
    const limits = { rateLimitProfile: 'standard', rateLimits: 'door=3/300' } as const;
    const other = await stack.another({ ...limits, trustedProxies: 1 });
    const asked = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.99' };
      return (await new ApiClient(other.url, headers).get('/api/door')).status;
    };
    expect([await asked(TOKEN), await asked(TOKEN), await asked(TOKEN), await asked(TOKEN)]).toEqual([
      200, 200, 200, 429,
    ]);
    expect(await asked('e'.repeat(43))).toBe(401);
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
    const { browser } = await stack.signedIn({ isAdmin: true });
    const person = { eventId: event.id, userId: user.id };
    const promote = (body?: object) =>
      browser.post<ErrorBody>(`/api/events/${event.id}/waitlist/${user.id}/promote`, body);
    expect(await promote()).toMatchObject({ status: 200, body: registration });
    expect(promotion).toEqual(person);
    expect((await promote({ raiseCapacity: true })).status).toBe(200);
    expect(promotion).toEqual({ ...person, raiseCapacity: true });
    for (const raiseCapacity of ['yes', 1])
      expect(await promote({ raiseCapacity })).toMatchObject({
        status: 400,
        body: { details: { fields: { raiseCapacity: ['raiseCapacity must be true or false'] } } },
      });
  });
});

describe('the gallery of an event', () => {
  const path = `/api/events/${event.id}/gallery`;
  const id = '0190b000-0000-7000-8000-000000000009';
  const png = () =>
    sharp({ create: { width: 9, height: 6, channels: 3, background: 'red' } })
      .png()
      .toBuffer();

  it('adds, changes and removes images of a gallery', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const picture = `data:image/png;base64,${(await png()).toString('base64')}`;
    expect((await browser.post(path, { picture, alt: '  The hall ' })).status).toBe(201);
    expect(asked).toMatchObject({
      message: AddGalleryPicture.name,
      request: { eventId: event.id, alt: 'The hall', picture: { width: 9, height: 6 } },
    });
    for (const item of [{ id, alt: 'The hall' }, { id }, { id, alt: 'The hall', was: 'A hall' }]) {
      expect((await browser.put(path, { pictures: [item] })).status).toBe(200);
      expect(asked).toMatchObject({
        message: ChangeGallery.name,
        request: { eventId: event.id, pictures: [item] },
      });
    }
    expect((await browser.delete(`${path}/${id}`)).status).toBe(204);
    expect(asked).toMatchObject({
      message: RemoveGalleryPicture.name,
      request: { eventId: event.id, pictureId: id },
    });
    expect((await browser.delete(`${path}/x`)).status).toBe(400);
  });

  it('names the field of invalid or duplicate gallery images without calling the service', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const call = jest.spyOn(stack.gateway.app.get(Services), 'call');
    const item = { id, alt: 'The hall' };
    const listWrongFields = async (reply: Promise<{ status: number; body: ErrorBody }>) => {
      const { status, body } = await reply;
      return [status, ...Object.keys(body.details?.fields ?? {})];
    };
    const add = (given: object) => listWrongFields(browser.post<ErrorBody>(path, given));
    const put = (pictures: unknown) => listWrongFields(browser.put<ErrorBody>(path, { pictures }));
    const picture = `data:image/png;base64,${(await png()).toString('base64')}`;
    for (const alt of [undefined, '', ' \u200b ', 'x'.repeat(251), 'two\nlines', 7, null])
      expect(await add({ picture, alt })).toEqual([400, 'alt']);
    for (const given of [
      undefined,
      null,
      '',
      7,
      'https://evil.example/a.png',
      `/media/gallery/${'a'.repeat(64)}.webp`,
    ])
      expect(await add({ picture: given, alt: 'The hall' })).toEqual([400, 'picture']);
    expect(await put([item, { ...item, id: id.toUpperCase() }])).toEqual([400, 'pictures']);
    for (const alt of ['', null, 7]) expect(await put([{ ...item, alt }])).toEqual([400, 'pictures[0].alt']);
    expect(await put([{ ...item, was: null }])).toEqual([400, 'pictures[0].was']);
    expect(await put(undefined)).toEqual([400, 'pictures']);
    expect(await put(Array.from({ length: 9 }, () => item))).toEqual([400, 'pictures']);
    expect(call.mock.calls.map(([{ name }]) => name)).toEqual([]);
    call.mockRestore();
  });
});

describe('the slug of an event', () => {
  it('changes the slug of an event and refuses invalid slugs with a message', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const put = (slug: unknown) => browser.put<ErrorBody>(`/api/events/${event.id}/slug`, { slug });
    expect(await put('seo-breakfast')).toMatchObject({ status: 200, body: { id: event.id } });
    expect(asked).toMatchObject({
      message: ChangeEventSlug.name,
      request: { eventId: event.id, slug: 'seo-breakfast' },
    });
    for (const slug of ['ab', 'x'.repeat(81), 'SEO', 'a b', 'café', '🎉🎉🎉', '-ab', 'ab-', 'a_b', 7])
      expect((await put(slug)).body.details?.fields).toEqual({
        slug: ['slug must be 3 to 80 characters (a–z, 0–9 and -) and start and end with a letter or digit'],
      });
    for (const slug of ['x'.repeat(80), '123', 'a--b']) expect((await put(slug)).status).toBe(200);
    expect((await put('admin')).body.details?.fields).toEqual({
      slug: ['slug is reserved'],
    });
  });
});

describe('the base version of a change', () => {
  const put = async (what: keyof typeof base, body: object, header?: string) => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const path = {
      event: `/api/events/${event.id}`,
      profile: '/api/user/profile',
      account: `/api/admin/users/${user.id}`,
    }[what];
    base[what] = undefined;
    const reply = await browser.put<ErrorBody>(
      path,
      body,
      header === undefined ? {} : { 'if-match': header },
    );
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

  it('refuses an invalid or contradictory base version', async () => {
    for (const version of [0, -1, 1.5, '3', 2 ** 31])
      expect(await put('event', { version })).toHaveProperty('version');
    for (const header of ['"a"', '"0"', '', '"1", "2"', '"9999999999"'])
      expect(await put('event', {}, header)).toHaveProperty('If-Match');
    expect(await put('event', { version: 2 }, '"3"')).toHaveProperty('If-Match');
  });
});

describe('user administration', () => {
  const fields = { email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' };
  const created = { ...fields, password: 'secret', isAdmin: false };
  it.each<[string, string, object | undefined, number, Message, object]>([
    ['GET', '?q=ada&limit=20', undefined, 200, ListAccounts, { q: 'ada', limit: 20 }],
    ['POST', '', created, 201, CreateAccount, { ...created, id: expect.any(String) }],
    ['PUT', '/:id', { ...fields, version: 3 }, 200, UpdateAccount, { ...fields, version: 3 }],
    [
      'PUT',
      '/:id/reset-password',
      { newPassword: 'secret' },
      200,
      SetAccountPassword,
      { newPassword: 'secret' },
    ],
    ['PUT', '/:id/toggle-admin', { isAdmin: true }, 200, SetAccountAdmin, { isAdmin: true }],
    ['POST', '/:id/send-reset-code', undefined, 202, SendAccountResetCode, {}],
  ])('forwards %s %s of user administration to auth', async (method, path, body, status, message, data) => {
    const { browser, user: administrator } = await stack.signedIn({ isAdmin: true });
    const reply = await browser.send(method, `/api/admin/users${path.replace(':id', user.id)}`, body);
    expect(reply.status).toBe(status);
    expect(asked).toMatchObject({
      message: message.name,
      request: path.startsWith('/:id') ? { ...data, userId: user.id } : data,
      caller: { sub: administrator.id, isAdmin: true, confirmedAt: expect.any(Number) },
    });
  });
});

describe('the check of email DNS records', () => {
  const check = async (body?: object) => {
    asked = undefined;
    const { browser } = await stack.signedIn({ isAdmin: true });
    return browser.post<ErrorBody>('/api/admin/mail-check', body);
  };

  it.each([
    ['s1', 's1'],
    ['Mail-2026.Example', 'Mail-2026.Example'],
    ['', null],
    [undefined, null],
  ])('accepts the DKIM selector %j', async (selector, sent) => {
    expect((await check({ selector })).status).toBe(202);
    expect(asked).toMatchObject({ message: CheckMail.name, request: { selector: sent } });
  });

  it.each([
    ...[
      '-',
      'a-',
      'a b',
      'a..b',
      'a.',
      '.a',
      'ü',
      '_spf',
      'a\nb',
      'a/b',
      '*',
      'x'.repeat(64),
      'a.'.repeat(60) + 'a',
    ],
    ...[7, ['a'], { a: 'a' }],
  ])('refuses the DKIM selector %j and names the field', async (selector) => {
    const { status, body } = await check({ selector });
    expect([status, Object.keys(body.details?.fields ?? {})]).toEqual([400, ['selector']]);
    expect(asked).toBeUndefined();
  });
});

describe('changing a user', () => {
  const put = async (id: string, body: object) => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const fields = { email: user.email, firstName: 'A', lastName: 'B', isAdmin: false };
    const reply = await browser.put<User & ErrorBody>(`/api/admin/users/${id}`, { ...fields, ...body });
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
  const dataUrl = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;

  it('re-encodes images before they reach the service', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    expect((await put(dataUrl(png))).status).toBe(200);
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

  it.each([
    'https://evil.example/a.png',
    `/media/banners/${'b'.repeat(64)}.webp`,
    '/media/avatars/../../etc/passwd',
    'javascript:alert(1)',
    7,
  ])('refuses an image that is not a stored profile photo: %s', async (value) => {
    const reply = await put(value);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details!.fields!)).toEqual(['profileImageUrl']);
  });

  it('returns a specific error code for each kind of invalid image', async () => {
    const refusal = async (value: string) => {
      const { status, body } = await put(value);
      return [status, body.code];
    };
    expect(await refusal('data:image/svg+xml;base64,PHN2Zy8+')).toEqual([415, 'PICTURE_TYPE']);
    expect(await refusal(dataUrl(Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')))).toEqual([
      422,
      'PICTURE_BROKEN',
    ]);
    expect(await refusal(dataUrl(Buffer.alloc(5 * 1024 * 1024 + 1)))).toEqual([413, 'PICTURE_TOO_LARGE']);
    expect(await refusal(dataUrl(Buffer.alloc(6 * 1024 * 1024)))).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it('removes an event’s image when the field is an empty string', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const reply = await browser.post<Event>('/api/events', { ...anEventBody, bannerImageUrl: '' });
    expect([reply.status, reply.body.id]).toEqual([201, event.id]);
    expect(change).toEqual({ action: 'remove' });
  });

  it('refuses a cover pattern with an image, and crops of a removed image', async () => {
    const { browser } = await stack.signedIn({ isAdmin: true });
    const part = { x: 0, y: 0, zoom: 1 };
    const named = async (given: object) => {
      const { body } = await browser.put<{ details: { fields: object } }>(`/api/events/${event.id}`, given);
      return Object.keys(body.details?.fields ?? {});
    };
    const url = `/media/banners/${'c'.repeat(64)}.webp`;
    expect(await named({ bannerImageUrl: url, coverPattern: 3 })).toEqual(['coverPattern']);
    expect(await named({ bannerImageUrl: null, coverSquare: part, coverWide: part })).toEqual([
      'coverSquare',
      'coverWide',
    ]);
    expect(await named({ coverPattern: 3, coverSquare: part })).toEqual([]);
  });
});

describe('null in a required field of an event', () => {
  it.each(['status', 'title', 'startDate', 'visibility'])(
    'refuses null in the required event field %s and names it',
    async (field) => {
      const { browser } = await stack.signedIn({ isAdmin: true });
      const replies = [
        await browser.post<ErrorBody>('/api/events', { ...anEventBody, [field]: null }),
        await browser.put<ErrorBody>(`/api/events/${event.id}`, { [field]: null }),
      ];
      expect(
        replies.map(({ status, body }) => [status, body.code, Object.keys(body.details?.fields ?? {})]),
      ).toEqual(replies.map(() => [400, 'VALIDATION_FAILED', [field]]));
    },
  );
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
    ['/\t/evil.example', null],
    ['/.//evil.example', null],
    ['/a/..//evil.example', null],
    ['/%2e//evil.example', null],
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
    const pieces = [
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2F',
      '%5c',
      '\t',
      '\n',
      ':',
      '@',
      '?',
      '#',
      'a',
      'evil.example',
    ];
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

  it('accepts one-click unsubscribe from an email program without a cookie', async () => {
    const reply = await stack.browser().post(path(stack.config.linkSecrets), 'List-Unsubscribe=One-Click', {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
    });
    expect(reply.status).toBe(200);
    expect(unsubscribed).toEqual({ userId: user.id, reminders: false });
  });

  it('accepts one-click unsubscribe with a multipart form', async () => {
    const body =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const reply = await stack.browser().post(path(stack.config.linkSecrets), body, {
      'content-type': 'multipart/form-data; boundary=x',
      'sec-fetch-site': 'cross-site',
    });
    expect(reply.status).toBe(200);
    expect(unsubscribed).toEqual({ userId: user.id, reminders: false });
  });

  it('redirects an unsubscribe link to a page in the email’s language', async () => {
    const address = path(stack.config.linkSecrets);
    const led = async (query: string) => (await stack.browser().get(address + query)).headers.get('location');
    expect(await led('?locale=de')).toMatch(/^\/unsubscribe\?token=[^&]+&locale=de$/);
    for (const query of ['', '?locale=xx', '?locale=de&locale=en-GB'])
      expect(await led(query)).toMatch(/^\/unsubscribe\?token=[^&]+$/);
  });

  it('accepts one-click unsubscribe with a JSON body, even a malformed one', async () => {
    for (const body of ['{}', '{"List-Unsubscribe":"One-Click"}', '{'])
      expect([body, (await stack.browser().post(path(stack.config.linkSecrets), body)).status]).toEqual([
        body,
        200,
      ]);
    expect(unsubscribed).toEqual({ userId: user.id, reminders: false });
  });

  it('changes no subscription on GET requests', async () => {
    const reply = await stack.browser().get(path(stack.config.linkSecrets));
    expect(reply.status).toBe(302);
    expect(reply.headers.get('location')).toMatch(/^\/unsubscribe\?token=/);
    const list = await stack.browser().get(`${path(stack.config.linkSecrets)}/list`);
    expect([list.status, list.body]).toEqual([200, { list: 'reminders', subscribed: false }]);
    for (const action of ['', '/undo']) {
      const read = await stack.browser().get(`${path(stack.config.linkSecrets)}${action}`);
      expect(read.status).not.toBe(200);
    }
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
