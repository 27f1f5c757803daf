import { randomUUID } from 'node:crypto';
import {
  ChangePasswordRequest,
  EventFilter,
  GuestFields,
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
import { CancelBody, EventBody, EventChangesBody, PublishBody, SeriesBody } from '../events/events.dto.js';
import { RegisterBody } from '../registrations/registrations.dto.js';

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
const NO_TEXT = [null, true, 7, -1, 1e308, '', [], {}, [[]], { $gt: '' }, ['x', 'y'], { length: 3 }];

describe('signing up', () => {
  it.each<Edge>([
    ...NAMES.flatMap((field): Edge[] => [
      [field, '1 character', 'x'],
      [field, '100 characters', letters(100)],
      [field, '100 characters and surrounding spaces', ` ${letters(100)} `],
    ]),
    ['email', '255 characters', address(255)],
    ['password', '1 character', 'x'],
    ['password', '255 characters', letters(255)],
    ['linkedInUrl', 'an empty string', ''],
    ['linkedInUrl', 'null', null],
    ['linkedInUrl', '1000 characters', linkedIn(1_000)],
  ])('accepts the sign-up field %s: %s', async (field, _, value) => {
    expect(await wrong(SignUpFields, { ...newcomer(), [field]: value })).toEqual([]);
  });

  it.each<Edge>([
    ...NAMES.flatMap((field): Edge[] => [
      [field, 'only spaces', '   '],
      [field, '101 characters', letters(101)],
      [field, 'a NUL', 'A\0'],
      [field, 'a lone surrogate', '\ud800'],
    ]),
    ...[...NAMES, 'email', 'password'].flatMap((field) =>
      NO_TEXT.map((value): Edge => [field, JSON.stringify(value), value]),
    ),
    ['email', 'no @', 'nora'],
    ['email', 'no host', 'nora@'],
    ['email', 'two @', 'a@b@example.org'],
    ['email', '256 characters', address(256)],
    ['password', '256 characters', letters(256)],
    ['linkedInUrl', '1001 characters', linkedIn(1_001)],
    ['linkedInUrl', 'no URL', 'linkedin'],
    ['linkedInUrl', 'a script URL', 'javascript:alert(1)'],
  ])('refuses the sign-up field %s: %s', async (field, _, value) => {
    expect(await wrong(SignUpFields, { ...newcomer(), [field]: value })).toEqual([field]);
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

describe('event requests', () => {
  it.each<[RequestClass, Record<string, unknown>, boolean]>([
    [EventBody, { status: 'draft' }, true],
    [EventBody, { status: 'published' }, true],
    [EventBody, { status: 'cancelled' }, false],
    [EventChangesBody, { status: 'draft' }, false],
    [EventBody, { notify: true }, false],
    [EventChangesBody, { notify: false }, true],
    [EventChangesBody, { notify: 'no' }, false],
    [EventChangesBody, { note: letters(500) }, true],
    [EventChangesBody, { note: letters(501) }, false],
    [EventChangesBody, { note: null }, true],
    [EventChangesBody, { note: 'a bell \u0007' }, false],
    [EventChangesBody, { scope: 'later' }, true],
    [EventChangesBody, { scope: 'all' }, false],
  ])('the event request %p accepts %j: %s', async (type, given, taken) => {
    const fields = type === EventBody ? { ...eventFields(), ...given } : given;
    expect(await wrong(type, fields)).toEqual(taken ? [] : Object.keys(given));
  });

  it.each<[RequestClass, Record<string, unknown>, string[]]>([
    [PublishBody, {}, []],
    [PublishBody, { version: 3 }, []],
    [PublishBody, { version: 0 }, ['version']],
    [PublishBody, { reason: 'Rain' }, ['reason']],
    [CancelBody, {}, []],
    [CancelBody, { reason: '' }, []],
    [CancelBody, { reason: letters(500), version: 3 }, []],
    [CancelBody, { reason: letters(501) }, ['reason']],
    [CancelBody, { reason: 7 }, ['reason']],
    [SeriesBody, { every: 'week', count: 2 }, []],
    [SeriesBody, { every: 'month', count: 12 }, []],
    [SeriesBody, { every: 'day', count: 1 }, ['every', 'count']],
    [SeriesBody, { every: 'two-weeks', count: 13 }, ['count']],
    [SeriesBody, { every: 'week', count: 2.5 }, ['count']],
    [SeriesBody, {}, ['every', 'count']],
  ])('the event request %p with %j has the invalid fields %j', async (type, given, fields) => {
    expect(await wrong(type, given)).toEqual(fields);
  });
});

describe('registering for an event', () => {
  it.each([{}, { waitlist: true }, { waitlist: false }])('accepts the registration %j', async (body) => {
    expect(await wrong(RegisterBody, body)).toEqual([]);
  });

  it.each(['yes', 'true', '', 1, 0, [], [true], {}])('refuses a waitlist flag of %j', async (waitlist) => {
    expect(await wrong(RegisterBody, { waitlist })).toEqual(['waitlist']);
  });
});

describe('a message to the guests of an event', () => {
  const message = { subject: 'A new room', body: 'Upstairs', segment: 'registered' };
  const ids = Array.from({ length: 501 }, () => randomUUID());

  it.each<Edge>([
    ['subject', '150 characters', letters(150)],
    ['subject', 'emoji', '🦊'.repeat(75)],
    ['body', '10,000 characters with line breaks', `a\n${letters(9_998)}`],
    ['segment', 'the waiting list', 'waiting'],
    ['replyTo', 'the author', 'author'],
    ['sendAt', 'a date and time', '2031-05-01T17:00:00Z'],
    ['draft', 'true', true],
    ['registrationIds', '500 people', ids.slice(1)],
  ])('accepts the message field %s: %s', async (field, _, value) => {
    expect(await wrong(MessageFields, { ...message, [field]: value })).toEqual([]);
  });

  it.each<Edge>([
    ...NO_TEXT.flatMap((value): Edge[] => [
      ['subject', JSON.stringify(value), value],
      ['body', JSON.stringify(value), value],
    ]),
    ['subject', '151 characters', letters(151)],
    ['subject', 'an injected header', 'Hello\r\nBcc: everybody@example.org'],
    ['subject', 'a line feed', 'Hello\nworld'],
    ['subject', 'a carriage return', 'Hello\rworld'],
    ['subject', 'a NUL', 'Hello\0'],
    ['subject', 'a Unicode line separator', 'Hello\u2028world'],
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
  ])('refuses the message field %s: %s', async (field, _, value) => {
    expect(await wrong(MessageFields, { ...message, [field]: value })).toEqual([field]);
  });
});

describe('text in email headers', () => {
  const at = '2031-05-01T17:00:00.000Z';
  it.each<[string, RequestClass, object, string[]]>([
    ['a new member', SignUpFields, newcomer(), ['email', 'firstName', 'lastName']],
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

describe('a list of events', () => {
  it.each<[Record<string, unknown>, boolean]>([
    [{ limit: '1' }, true],
    [{ limit: '100' }, true],
    [{ limit: '0' }, false],
    [{ limit: '101' }, false],
    [{ limit: '-1' }, false],
    [{ limit: '1.5' }, false],
    [{ limit: 'ten' }, false],
    [{ limit: ['1', '2'] }, false],
    [{ q: letters(200) }, true],
    [{ q: letters(201) }, false],
    [{ price: 'cheap' }, false],
    [{ format: 'hybrid' }, true],
    [{ format: 'remote' }, false],
    [{ format: ['online', 'hybrid'] }, false],
    [{ status: 'cancelled' }, true],
    [{ status: 'open' }, false],
    [{ time: 'later' }, false],
    [{ sort: 'title' }, false],
    [{ unknown: '1' }, false],
    [{ from: 'yesterday' }, false],
  ])('accepts the event list query %j: %s', async (query, given) => {
    expect(await wrong(EventFilter, query)).toEqual(given ? [] : Object.keys(query));
  });
});
