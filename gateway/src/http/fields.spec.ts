import { randomUUID } from 'node:crypto';
import {
  ChangePasswordRequest,
  CheckMailRequest,
  EventFilter,
  GuestFields,
  GuestSelection,
  MessageFields,
  PasswordFields,
  ProposalFields,
  ResetPasswordFields,
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

type Edge = [field: string, what: string, value: unknown];
const NAMES = ['firstName', 'lastName'];
const NO_TEXT = [null, true, 7, '', [], {}, ['x', 'y'], { length: 3 }];
const noText = (...fields: string[]) =>
  fields.flatMap((field) => NO_TEXT.map((value): Edge => [field, JSON.stringify(value), value]));
const MESSAGE = { subject: 'A new room', body: 'Upstairs', segment: 'registered' };
const ids = Array.from({ length: 501 }, () => randomUUID());

describe.each<[string, RequestClass, object, Edge[], Edge[]]>([
  [
    'signing up',
    SignUpFields,
    newcomer(),
    [
      ...NAMES.flatMap((field): Edge[] => [
        [field, '1 character', 'x'],
        [field, '100 characters and surrounding spaces', ` ${letters(100)} `],
      ]),
      ['email', '255 characters', address(255)],
      ['password', '1 character', 'x'],
      ['password', '255 characters', letters(255)],
      ['linkedInUrl', 'an empty string', ''],
      ['linkedInUrl', 'null', null],
      ['linkedInUrl', '1000 characters', linkedIn(1_000)],
    ],
    [
      ...noText(...NAMES, 'email', 'password'),
      ...NAMES.flatMap((field): Edge[] => [
        [field, 'only spaces', '   '],
        [field, '101 characters', letters(101)],
        [field, 'a lone surrogate', '\ud800'],
      ]),
      ['email', 'no @', 'nora'],
      ['email', 'no host', 'nora@'],
      ['email', 'two @', 'a@b@example.org'],
      ['email', '256 characters', address(256)],
      ['password', '256 characters', letters(256)],
      ['linkedInUrl', '1001 characters', linkedIn(1_001)],
      ['linkedInUrl', 'no URL', 'linkedin'],
      ['linkedInUrl', 'a script URL', 'javascript:alert(1)'],
    ],
  ],
  [
    'a message to the guests of an event',
    MessageFields,
    MESSAGE,
    [
      ['subject', '150 characters', letters(150)],
      ['subject', 'emoji', '🦊'.repeat(75)],
      ['body', '10,000 characters with line breaks', `a\n${letters(9_998)}`],
      ['segment', 'the waiting list', 'waiting'],
      ['replyTo', 'the author', 'author'],
      ['sendAt', 'a date and time', '2031-05-01T17:00:00Z'],
      ['draft', 'true', true],
      ['registrationIds', '500 people', ids.slice(1)],
    ],
    [
      ...noText('subject', 'body'),
      ['subject', '151 characters', letters(151)],
      ['body', '10,001 characters', letters(10_001)],
      ['body', 'only whitespace', ' \n '],
      ['body', 'a NUL', 'a\0'],
      ['body', 'a paragraph of formatting marks', '*a '.repeat(3_000)],
      ['segment', 'an unknown value', 'everybody'],
      ['segment', 'undefined', undefined],
      ['replyTo', 'an email address', 'a@example.org'],
      ['sendAt', 'no time zone', '2031-05-01T17:00:00'],
      ['sendAt', 'null', null],
      ['draft', 'a string', 'yes'],
      ['registrationIds', '501 people', ids],
      ['registrationIds', 'a duplicate', [ids[0], ids[0]]],
      ['registrationIds', 'an invalid id', ['1']],
      ['to', 'an unknown field', 'a@example.org'],
    ],
  ],
])('%s', (_, type, form, accepted, refused) => {
  it.each(accepted)('accepts the field %s: %s', async (field, _what, value) => {
    expect(await wrong(type, { ...form, [field]: value })).toEqual([]);
  });

  it.each(refused)('refuses the field %s: %s', async (field, _what, value) => {
    expect(await wrong(type, { ...form, [field]: value })).toEqual([field]);
  });
});

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
const [ID] = ids as [string];
const PICTURE = { id: ID, alt: 'The hall' };

it.each<Row>([
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
  [PromotionBody, { raiseCapacity: true }, []],
  [PromotionBody, { raiseCapacity: 'yes' }, ['raiseCapacity']],
  [GuestSelection, { ids: ids.slice(1) }, []],
  [GuestSelection, { ids }, ['ids']],
  [GuestSelection, { ids: ['1'] }, ['ids']],
  [GalleryBody, {}, ['pictures']],
  [GalleryBody, { pictures: [PICTURE, { ...PICTURE, id: ID.toUpperCase() }] }, ['pictures']],
  [GalleryBody, { pictures: ids.slice(0, 9).map((id) => ({ id })) }, ['pictures']],
  [GalleryBody, { pictures: [{ ...PICTURE, alt: '' }] }, ['pictures[0].alt']],
  [GalleryBody, { pictures: [{ ...PICTURE, was: null }] }, ['pictures[0].was']],
  ...[letters(80), '123', 'a--b'].map((slug): Row => [EventSlugBody, { slug }, []]),
  ...['ab', letters(81), 'SEO', 'a b', 'café', '🎉🎉🎉', '-ab', 'ab-', 'a_b', 7].map((slug): Row => [
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
  const form = type === EventBody ? { ...eventFields(), ...given } : given;
  expect((await wrong(type, form)).toSorted()).toEqual(fields);
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
