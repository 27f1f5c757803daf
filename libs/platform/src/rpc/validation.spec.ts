import 'reflect-metadata';
import {
  ListOf,
  ListOfLines,
  Nothing,
  PlainText,
  rewritten,
  SignUpRequest,
  SingleLine,
  type DomainError,
  type ErrorDetails,
} from '@meetmark/contracts';
import { IsIn, IsInt, Max, MaxLength, Min, MinLength, ValidateBy } from 'class-validator';
import { WorkRequest } from '../testing/sample.messages.js';
import { validated } from './validation.js';

describe('validating a request', () => {
  it('converts a valid request to an instance of its class', async () => {
    const request = await validated(WorkRequest, { number: 1, address: { city: 'Boise' } });
    expect(request).toBeInstanceOf(WorkRequest);
    expect(request.address?.city).toBe('Boise');
  });

  it.each([
    [{}, { number: ['number is required'] }],
    [{ number: null }, { number: ['number is required'] }],
    [{ number: 'one' }, { number: ['number must be a whole number'] }],
    [{ number: 1, surplus: true }, { surplus: ['surplus is not a known field'] }],
    [
      { number: 1, address: { city: 'x'.repeat(21) } },
      { 'address.city': ['address.city must have at most 20 characters'] },
    ],
    [
      { number: 1, address: { city: 'Boise', zip: 1 } },
      { 'address.zip': ['address.zip is not a known field'] },
    ],
    [{ number: 1, hasOwnProperty: true }, { hasOwnProperty: ['hasOwnProperty is not a known field'] }],
    [{ number: 1, constructor: {} }, { constructor: ['constructor is not a known field'] }],
    [null, { '': ['must be an object'] }],
    [[1], { '': ['must be an object'] }],
  ])('reports the invalid fields of %j', async (value, fields) => {
    await expect(validated(WorkRequest, value)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields },
    });
  });

  it('reports missing fields first, with one sentence per field', async () => {
    const refused = validated(SignUpRequest, {
      ...{ surplus: true, email: 'ada', firstName: '', linkedInUrl: 'x' },
    });
    const { fields } = (await refused.catch((error: DomainError) => error.details)) as Required<ErrorDetails>;
    expect(Object.entries(fields)).toEqual([
      ['lastName', ['Last name is required']],
      ['password', ['Password is required']],
      ['surplus', ['surplus is not a known field']],
      ['email', ['Invalid email address']],
      ['firstName', ['First name is required']],
      ['linkedInUrl', ['linkedInUrl must be an http or https URL']],
    ]);
  });

  it('reports one sentence and one rule for each invalid field', async () => {
    class Sponsor {
      @SingleLine(5)
      @MinLength(1)
      name!: string;
    }
    class Form extends SignUpRequest {
      @ListOf(Sponsor, 2)
      sponsors!: Sponsor[];

      @IsIn(['red', 'blue'])
      colour!: string;

      @IsInt()
      @Min(1)
      @Max(9)
      year!: number;
    }
    const refused = validated(Form, {
      email: 7,
      firstName: 7,
      lastName: 'a\nb',
      sponsors: [{ name: '  ', zip: 1 }, { name: 'longer' }],
      colour: 'green',
      year: 'x'.repeat(20),
      linkedInUrl: `https://example.org/${'x'.repeat(1_000)}`,
      ['x'.repeat(200)]: 1,
    });
    const { fields, rules } = (await refused.catch((error: DomainError) => error.details)) as ErrorDetails;
    const told = Object.entries(fields!).map(([name, sentences]) => [name, [sentences.join(), rules![name]]]);
    const long = 'x'.repeat(100);
    expect(Object.fromEntries(told)).toEqual({
      password: ['Password is required', { rule: 'required' }],
      [long]: [`${long} is not a known field`, { rule: 'unknown' }],
      'sponsors[0].zip': ['sponsors[0].zip is not a known field', { rule: 'unknown' }],
      'sponsors[0].name': ['sponsors[0].name must have at least 1 character', { rule: 'required' }],
      'sponsors[1].name': [
        'sponsors[1].name must have at most 5 characters',
        { rule: 'maxLength', limit: 5 },
      ],
      colour: ['colour must be one of red, blue', { rule: 'isIn', values: ['red', 'blue'] }],
      year: ['year must be a whole number', { rule: 'isInt' }],
      email: ['email must be text', { rule: 'isString' }],
      firstName: ['firstName must be text', { rule: 'isString' }],
      lastName: ['lastName must be one line of text without control characters', { rule: 'isLine' }],
      linkedInUrl: ['linkedInUrl must have at most 1000 characters', { rule: 'maxLength', limit: 1000 }],
    });
  });

  it('shortens overlong text before checking it', async () => {
    const judged: string[] = [];
    class Form {
      @rewritten((text) => (judged.push(text), text), 5)
      @ValidateBy({ name: 'seen', validator: { validate: (text: string) => judged.push(text) > 0 } })
      @MaxLength(5)
      short!: string;

      @ValidateBy({ name: 'seen', validator: { validate: (text: string) => judged.push(text) > 0 } })
      any!: string;
    }
    await expect(validated(Form, { short: 'x'.repeat(500), any: 'x'.repeat(5_000) })).rejects.toMatchObject({
      details: {
        fields: { short: [expect.stringContaining('at most 5')], any: [expect.stringContaining('at most')] },
      },
    });
    expect(judged.map((text) => text.length).toSorted((one, other) => one - other)).toEqual([56, 1_051]);
    await expect(validated(Form, { short: 'five', any: '' })).resolves.toMatchObject({ short: 'five' });
  });

  it('normalises text to NFC before checking it', async () => {
    class Person {
      @SingleLine(5)
      name!: string;
    }
    class Form {
      @PlainText(5)
      text!: string;

      @ListOfLines(2, 5)
      tags!: string[];

      @ListOf(Person, 2)
      people!: Person[];
    }
    const [composed, decomposed] = ['é'.repeat(5), 'e\u0301'.repeat(5)];
    const form = (text: string) => ({ text, tags: [text], people: [{ name: text }] });
    await expect(validated(Form, form(decomposed))).resolves.toEqual(form(composed));
    const fields = await validated(Form, form('\u0958'.repeat(3))).catch(({ details }) => details.fields);
    expect(Object.keys(fields).sort()).toEqual(['people[0].name', 'tags', 'text']);
    const cutBeforeIt = `${decomposed}${'e\u0301'.repeat(40)}`;
    await expect(validated(Form, form(cutBeforeIt))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it('rejects every field if the class defines no fields', async () => {
    await expect(validated(Nothing, {})).resolves.toBeInstanceOf(Nothing);
    await expect(validated(Nothing, { extra: 1 })).rejects.toMatchObject({
      details: { fields: { extra: ['extra is not a known field'] } },
    });
  });

  it('removes unknown fields at every depth on request, and checks the others', async () => {
    class Person {
      @SingleLine(5)
      name!: string;
    }
    class Form extends WorkRequest {
      @ListOf(Person, 2)
      people!: Person[];
    }
    const surplus = { surplus: 1, hasOwnProperty: true, constructor: {} };
    const [address, people] = [{ city: 'Boise', zip: 1 }, [{ name: 'Ada', ...surplus }]];
    const received = (given: object) => validated(Form, given, { unknownFields: 'removed' });
    await expect(received({ number: 1, address, people, ...surplus })).resolves.toEqual(
      Object.assign(new Form(), { number: 1, address: { city: 'Boise' }, people: [{ name: 'Ada' }] }),
    );
    await expect(received({ number: 'one', address, ...surplus })).rejects.toMatchObject({
      details: { fields: { people: ['people is required'], number: ['number must be a whole number'] } },
    });
    await expect(validated(Nothing, surplus, { unknownFields: 'removed' })).resolves.toEqual(new Nothing());
  });
});
