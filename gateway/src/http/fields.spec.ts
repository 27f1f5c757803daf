import { randomUUID } from 'node:crypto';
import {
  ChangePasswordRequest,
  CheckMailRequest,
  DoorItemsFields,
  EventFilter,
  GuestFields,
  GuestSelection,
  MessageFields,
  PasswordFields,
  ProposalFields,
  RegistrationFields,
  ResetPasswordFields,
  RsvpFields,
  SignUpFields,
  WalkInFields,
  type DomainError,
  type RequestClass,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import { eventFields, newcomer } from '@meetmark/testing/factories/samples';
import {
  CancelBody,
  EventBody,
  EventChangesBody,
  EventSlugBody,
  GalleryBody,
  GalleryPictureBody,
  PublishBody,
  SeriesBody,
} from '../events/events.dto.js';
import { PromotionBody, RegisterBody } from '../registrations/registrations.dto.js';

const letters = (length: number) => 'x'.repeat(length);
/**
 * Returns a valid email address of this length. The part before the @ may have at most 64 characters, and
 * each part between dots 63.
 */
const address = (length: number) =>
  `${'nora'.padEnd(length - 193, 'x')}@${`${letters(61)}.`.repeat(3)}${letters(2)}.org`;
const linkedIn = (length: number) => 'https://www.linkedin.com/in/'.padEnd(length, 'x');

const wrong = (type: RequestClass, value: object) =>
  validated(type, value).then(
    () => [],
    ({ details }: DomainError) => Object.keys(details?.fields ?? {}),
  );

const NO_TEXT = [null, true, 7, '', [], {}, ['x', 'y'], { length: 3 }];
const MESSAGE = { subject: 'A new room', body: 'Upstairs', segment: 'registered' };
const ids = Array.from({ length: 501 }, () => randomUUID());

describe('a new password', () => {
  it.each([
    [5, false],
    [6, true],
    [255, true],
    [256, false],
  ])('returns whether a password of %i characters is acceptable: %s', async (length, taken) => {
    const newPassword = letters(length);
    expect(await wrong(PasswordFields, { newPassword })).toEqual(taken ? [] : ['newPassword']);
    // For a signed-in user, the gateway checks only the maximum. The service checks the minimum.
    const own = await wrong(ChangePasswordRequest, { currentPassword: 'x', newPassword });
    expect(own).toEqual(length > 255 ? ['newPassword'] : []);
  });

  it.each(['12345', '1234567', '12345a', '١٢٣٤٥٦', ' 12345', ''])(
    'requires a reset code of six digits, not %j',
    async (token) => {
      const reset = { email: newcomer().email, token, newPassword: 'new horse' };
      expect(await wrong(ResetPasswordFields, reset)).toEqual(['token']);
    },
  );
});

type Row = [RequestClass, Record<string, unknown>, string[]];
/** Valid fields of classes with required fields. */
const FORMS = new Map<RequestClass, object>([
  [EventBody, eventFields()],
  [SignUpFields, newcomer()],
  [MessageFields, MESSAGE],
]);
const NAMES = ['firstName', 'lastName'];
const ACCOUNT = ['email', ...NAMES, 'linkedInUrl', 'password'];
const [ID] = ids as [string];
const PICTURE = { id: ID, alt: 'The hall' };
const ADDED = { picture: 'data:image/png;base64,x', alt: 'The hall' };
const [AT, ITEM] = ['2031-05-01T17:00:00Z', { key: ID, guestId: ID, at: '2031-05-01T17:00:00Z' }];

it.each<Row>([
  [SignUpFields, { firstName: 'x', lastName: ` ${letters(100)} `, email: address(255), password: 'x' }, []],
  [SignUpFields, { firstName: ` ${letters(100)} `, lastName: 'x', password: letters(255) }, []],
  ...['', null, linkedIn(1_000)].map((linkedInUrl): Row => [SignUpFields, { linkedInUrl }, []]),
  ...NO_TEXT.map((value): Row => [
    SignUpFields,
    { firstName: value, lastName: value, email: value, password: value },
    ['email', ...NAMES, 'password'],
  ]),
  [
    SignUpFields,
    {
      firstName: '   ',
      lastName: letters(101),
      email: 'nora',
      password: letters(256),
      linkedInUrl: linkedIn(1_001),
    },
    ACCOUNT,
  ],
  [SignUpFields, { firstName: '\ud800', lastName: '   ', email: 'nora@' }, ['email', ...NAMES]],
  [
    SignUpFields,
    { firstName: letters(101), lastName: '\ud800', email: 'a@b@example.org' },
    ['email', ...NAMES],
  ],
  [SignUpFields, { email: address(256), linkedInUrl: 'linkedin' }, ['email', 'linkedInUrl']],
  [SignUpFields, { linkedInUrl: 'javascript:alert(1)' }, ['linkedInUrl']],
  [
    MessageFields,
    { subject: letters(150), body: `a\n${letters(9_998)}`, segment: 'waiting', draft: true },
    [],
  ],
  [MessageFields, { subject: '🦊'.repeat(75), replyTo: 'author', sendAt: '2031-05-01T17:00:00Z' }, []],
  [MessageFields, { registrationIds: ids.slice(1) }, []],
  ...NO_TEXT.map((value): Row => [MessageFields, { subject: value, body: value }, ['body', 'subject']]),
  [
    MessageFields,
    { subject: letters(151), body: letters(10_001), segment: 'everybody' },
    ['body', 'segment', 'subject'],
  ],
  [
    MessageFields,
    {
      body: ' \n ',
      replyTo: 'a@example.org',
      sendAt: '2031-05-01T17:00:00',
      draft: 'yes',
      to: 'a@example.org',
    },
    ['body', 'draft', 'replyTo', 'sendAt', 'to'],
  ],
  [
    MessageFields,
    { body: 'a\0', registrationIds: ids, segment: undefined },
    ['body', 'registrationIds', 'segment'],
  ],
  [MessageFields, { body: '*a '.repeat(3_000), registrationIds: [ID, ID] }, ['body', 'registrationIds']],
  [MessageFields, { registrationIds: ['1'], sendAt: null }, ['registrationIds', 'sendAt']],
  [EventBody, { status: 'draft' }, []],
  [EventBody, { status: 'cancelled', notify: true }, ['notify', 'status']],
  [EventChangesBody, { notify: false, note: letters(500), scope: 'later' }, []],
  [EventChangesBody, { note: null }, []],
  [EventChangesBody, { note: 'a bell \u0007' }, ['note']],
  [
    EventChangesBody,
    { note: letters(501), notify: 'no', scope: 'all', status: 'draft' },
    ['note', 'notify', 'scope', 'status'],
  ],
  ...[0, -1, 1.5, '3', 2 ** 31].map((version): Row => [EventChangesBody, { version }, ['version']]),
  [PublishBody, {}, []],
  [PublishBody, { version: 3 }, []],
  [PublishBody, { version: 0, reason: 'Rain' }, ['reason', 'version']],
  [CancelBody, {}, []],
  [CancelBody, { reason: '' }, []],
  [CancelBody, { reason: letters(500), version: 3 }, []],
  [CancelBody, { reason: letters(501) }, ['reason']],
  [CancelBody, { reason: 7 }, ['reason']],
  [SeriesBody, { every: 'week', count: 2 }, []],
  [SeriesBody, { every: 'month', count: 12 }, []],
  [SeriesBody, { every: 'day', count: 1 }, ['count', 'every']],
  [SeriesBody, { every: 'two-weeks', count: 13 }, ['count']],
  [SeriesBody, { every: 'week', count: 2.5 }, ['count']],
  [SeriesBody, {}, ['count', 'every']],
  [RegisterBody, {}, []],
  [RegisterBody, { waitlist: false, showMe: 'public', selectedDate: '2030-05-01T09:00:00Z' }, []],
  [RegisterBody, { waitlist: 'true', showMe: 'yes', answers: ['Nuts'] }, ['answers', 'showMe', 'waitlist']],
  [RegisterBody, { waitlist: 1, showMe: '', answers: null }, ['answers', 'showMe', 'waitlist']],
  [RegisterBody, { answers: { [ID]: 1 } }, ['answers']],
  [RegisterBody, { answers: { [ID]: ['Nuts'] } }, ['answers']],
  [RegistrationFields, { showMe: 'linkedin' }, []],
  ...[undefined, '', 'yes', true].map((showMe): Row => [RegistrationFields, { showMe }, ['showMe']]),
  [RsvpFields, { email: 'ada', firstName: ' ', lastName: letters(101) }, ['email', 'firstName', 'lastName']],
  [PromotionBody, { raiseCapacity: true }, []],
  [PromotionBody, { raiseCapacity: 'yes' }, ['raiseCapacity']],
  [GuestSelection, { ids: ids.slice(1) }, []],
  [GuestSelection, { ids }, ['ids']],
  [GuestSelection, { ids: ['1'] }, ['ids']],
  [DoorItemsFields, { sentAt: AT, items: ids.slice(1).map((key) => ({ ...ITEM, key })) }, []],
  [DoorItemsFields, { sentAt: 'now', items: ids.map((key) => ({ ...ITEM, key })) }, ['items', 'sentAt']],
  [DoorItemsFields, { sentAt: AT, items: [{ ...ITEM, undo: ID }] }, ['items']],
  [GalleryPictureBody, ADDED, []],
  ...[undefined, '', ' \u200b ', letters(251), 'two\nlines', 7, null].map((alt): Row => [
    GalleryPictureBody,
    { ...ADDED, alt },
    ['alt'],
  ]),
  ...[undefined, null, 7].map((picture): Row => [GalleryPictureBody, { ...ADDED, picture }, ['picture']]),
  [GalleryBody, {}, ['pictures']],
  [GalleryBody, { pictures: [PICTURE, { ...PICTURE, id: ID.toUpperCase() }] }, ['pictures']],
  [GalleryBody, { pictures: ids.slice(0, 9).map((id) => ({ id })) }, ['pictures']],
  [GalleryBody, { pictures: [{ ...PICTURE, alt: '' }] }, ['pictures[0].alt']],
  [GalleryBody, { pictures: [{ ...PICTURE, was: null }] }, ['pictures[0].was']],
  ...[letters(80), '123', 'a--b'].map((slug): Row => [EventSlugBody, { slug }, []]),
  ...['ab', letters(81), 'SEO', 'a b', 'café', '🎉🎉🎉', '-ab', 'ab-', 'a_b', 'admin', 7].map((slug): Row => [
    EventSlugBody,
    { slug },
    ['slug'],
  ]),
  ...['s1', 'Mail-2026.Example', '', null].map((selector): Row => [CheckMailRequest, { selector }, []]),
  ...['-', 'a-', 'a b', 'a..b', 'a.', '.a', 'ü', '_spf', 'a\nb', letters(64), 'a.'.repeat(60) + 'a', 7].map(
    (selector): Row => [CheckMailRequest, { selector }, ['selector']],
  ),
  [EventFilter, { limit: '1', q: letters(200), format: 'hybrid', status: 'cancelled' }, []],
  [EventFilter, { limit: '100' }, []],
  [
    EventFilter,
    { limit: '101', q: letters(201), format: 'remote', status: 'open' },
    ['format', 'limit', 'q', 'status'],
  ],
  [
    EventFilter,
    { limit: '0', price: 'cheap', time: 'later', sort: 'title' },
    ['limit', 'price', 'sort', 'time'],
  ],
  [EventFilter, { limit: '-1', unknown: '1', from: 'yesterday' }, ['from', 'limit', 'unknown']],
  [EventFilter, { limit: '1.5', format: ['online', 'hybrid'] }, ['format', 'limit']],
  [EventFilter, { limit: 'ten' }, ['limit']],
  [EventFilter, { limit: ['1', '2'] }, ['limit']],
])('names the invalid fields of the request %p with %j: %j', async (type, given, fields) => {
  const named = await wrong(type, { ...FORMS.get(type), ...given });
  expect(named.toSorted()).toEqual(fields);
});

describe('text in email headers', () => {
  const at = '2031-05-01T17:00:00.000Z';
  it.each<[string, RequestClass, object, string[]]>([
    ['a new member', SignUpFields, newcomer(), ['email', 'firstName', 'lastName']],
    ['a message', MessageFields, MESSAGE, ['subject']],
    ['a guest', GuestFields, { name: 'Grace', email: 'grace@example.org' }, ['name', 'email']],
    [
      'a walk-in',
      WalkInFields,
      { key: randomUUID(), name: 'Wanda', email: 'wanda@example.org', at, sentAt: at },
      ['name', 'email'],
    ],
    ['an event', EventBody, eventFields(), ['title']],
    [
      'a proposal',
      ProposalFields,
      { title: 'Tea', startDate: at, endDate: '2031-05-01T19:00:00.000Z' },
      ['title'],
    ],
  ])('refuses line breaks in the email header fields of %s', async (_, type, form, fields) => {
    expect(await wrong(type, form)).toEqual([]);
    for (const field of fields)
      for (const between of ['\r\nBcc: everybody@example.org,', '\n', '\r', '\0', '\u2028']) {
        const value = (form as Record<string, string>)[field]!.replace(/^./, (first) => first + between);
        expect([between, await wrong(type, { ...form, [field]: value })]).toEqual([between, [field]]);
      }
  });
});
