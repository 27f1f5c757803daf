import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import * as contracts from './index.js';
import {
  toChangesClass,
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsId,
  isMoment,
  IsName,
  IsPassword,
  isWebUrl,
  PlainText,
  RequiredText,
  SingleLine,
} from './validation.js';

class Form {
  @SingleLine(5)
  line = 'line';

  @PlainText(5)
  text = 'text';

  @IsName('A name is required')
  name = 'Ada';

  @IsEmailAddress()
  email = 'ada@example.com';

  @IsPassword()
  password = 'secret';

  @IsId()
  id = '018f4d6e-0000-7000-8000-000000000001';

  @EmptyAsNull()
  @PlainText(5)
  note: unknown = null;

  @RequiredText(5, 'words are required')
  words = 'words';
}

const filled = (given: object) => plainToInstance(Form, { ...new Form(), ...given });
const refused = (given: object) => validateSync(filled(given)).map(({ property }) => property);

describe('form validation', () => {
  it('trims form fields, but not passwords', () => {
    expect(filled({ line: ' a ', name: ' Ada ', password: ' a ', words: '\n a\nb ' })).toMatchObject({
      line: 'a',
      name: 'Ada',
      password: ' a ',
      words: 'a\nb',
    });
  });

  it('turns an empty optional field into null', () => {
    expect([filled({ note: '' }).note, filled({ note: undefined }).note]).toEqual([null, null]);
  });

  it.each([
    ['line', 'longer than five'],
    ['line', 'two\nlines'],
    ['line', 'a\u0000'],
    ['line', 'a\u2028b'],
    ['line', '\ud800'],
    ['line', 7],
    ['text', 'a\u0000'],
    ['note', 'longer'],
    ['note', 0],
    ['name', '   '],
    ['name', '\u200b\u2800\u3164'],
    ['words', '\n\t\u00a0'],
    ['words', 'longer'],
    ['words', undefined],
    ['email', 'ada'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', 'ada@example.com\r\nBcc: eve@example.com'],
    ['email', 'ada@example.com, eve@example.com'],
    ['email', '"ada@example.com" <eve@example.com>'],
    ['email', 'ada@ex%61mple.com'],
    ['email', 'adä@example.com'],
    ['email', 'ada@\u0378.com'],
    ['password', ''],
    ['password', 'a\u0000b'],
    ['id', '1'],
    ['id', { $ne: null }],
  ])('rejects %s = %j and names the field', (field, value) => {
    expect(refused({ [field]: value })).toEqual([field]);
  });

  it.each([
    ['text', 'a\r\n\tb'],
    ['note', ''],
    ['note', null],
    ['line', 'ÄÖÜß€'],
    ['email', "o'hara+meet@sub.example.co.uk"],
    ['id', '018F4D6E-0000-7000-8000-00000000000A'],
  ])('accepts %s = %j in a form', (field, value) => {
    expect(refused({ [field]: value })).toEqual([]);
  });
});

describe('optional fields', () => {
  class Optional {
    @IfGiven()
    @IsPassword()
    password?: string;
  }
  const wrong = (given: object) => validateSync(plainToInstance(Optional, given)).length;

  it('validates an optional field if it is present, even if null', () => {
    expect([{}, { password: 'x' }, { password: null }, { password: '' }].map(wrong)).toEqual([0, 0, 1, 1]);
  });
});

describe('form changes', () => {
  class Changes extends toChangesClass(Form) {}
  const changes = (given: object) => plainToInstance(Changes, given);
  const wrong = (given: object) => validateSync(changes(given)).map(({ property }) => property);

  it('validates only changed fields, with the form’s rules', () => {
    expect({ ...changes({}) }).toEqual({});
    expect(wrong({})).toEqual([]);
    expect(changes({ line: ' a ' }).line).toBe('a');
    const names = ['line', 'email', 'note'];
    expect(wrong({ line: 'longer than five', email: 'ada', note: 'longer' })).toEqual(names);
  });

  it('accepts null only for form fields that may be empty', () => {
    expect(wrong({ note: null, name: null, email: null })).toEqual(['name', 'email']);
    expect(changes({ note: null, line: 'a' })).toEqual({ note: null, line: 'a' });
  });
});

describe('timestamps', () => {
  it.each([
    ['2026-11-21T09:00Z', true],
    ['2026-11-21T09:00:00.123456+05:45', true],
    ['2028-02-29T00:00:00-08:00', true],
    ['2026-11-21', false],
    ['2026-11-21T09:00:00', false],
    ['2026-02-29T09:00:00Z', false],
    ['2026-13-01T09:00:00Z', false],
    ['2026-11-21T25:00:00Z', false],
    ['1899-12-31T23:59:59Z', false],
    ['3000-01-01T00:00:00Z', false],
    ['20271-01-15T09:00:00Z', false],
    ['+020271-01-15T09:00:00Z', false],
    ['tomorrow', false],
    [0, false],
  ])('judges the timestamp %j: %s', (value, expected) => expect(isMoment(value)).toBe(expected));
});

describe('web URLs', () => {
  it('accepts a web URL with letters such as ü after thousands of checks', () => {
    // After many calls, Node 20 switches to a fast path, in which URL.canParse rejects such URLs.
    const answers = Array.from({ length: 20_000 }, () => isWebUrl('https://münchen.example/café'));
    expect(answers.indexOf(false)).toBe(-1);
  });

  it.each([
    ['https://www.linkedin.com/in/ada', true],
    ['http://example.com:8080/a?b#c', true],
    ['javascript:alert(1)//https://example.com', false],
    [' https://example.com', false],
    ['ftp://example.com', false],
    ['//example.com', false],
    ['https://user:secret@example.com', false],
    ['https://exa mple.com', false],
    ['https:// example.com', false],
    ['', false],
    [null, false],
  ])('judges the web URL %j: %s', (value, expected) => expect(isWebUrl(value)).toBe(expected));
});

it('rejects invisible text in every required text field except passwords', () => {
  const classes = Object.values(contracts).filter(
    (value): value is contracts.RequestClass => typeof value === 'function' && value.prototype !== undefined,
  );
  const rules = classes.flatMap((type) =>
    getMetadataStorage()
      .getTargetValidationMetadatas(type, '', false, false)
      .map((rule) => ({ field: `${type.name}.${rule.propertyName}`, rule })),
  );
  const fieldsWith = (has: (rule: (typeof rules)[number]['rule']) => boolean) =>
    new Set(rules.filter(({ rule }) => has(rule)).map(({ field }) => field));
  const filledFields = fieldsWith(({ name }) => name === 'isFilled');
  const required = fieldsWith(({ name, constraints }) => name === 'minLength' && constraints?.[0] === 1);
  expect(required.size).toBeGreaterThan(20);
  const blank = [...required].filter((field) => !filledFields.has(field) && !/password/i.test(field));
  expect(blank).toEqual([]);
});
