import 'reflect-metadata';
import { Nothing, SignUpRequest, type DomainError, type ErrorDetails } from '@meetmark/contracts';
import { WorkRequest } from '../testing/sample.messages.js';
import { validated } from './validation.js';

describe('a request', () => {
  it('becomes an instance of its class', async () => {
    const request = await validated(WorkRequest, { number: 1, address: { city: 'Boise' } });
    expect(request).toBeInstanceOf(WorkRequest);
    expect(request.address?.city).toBe('Boise');
  });

  it.each([
    [{}, { number: ['number is required'] }],
    [{ number: null }, { number: ['number is required'] }],
    [{ number: 'one' }, { number: ['number must be an integer number'] }],
    [{ number: 1, surplus: true }, { surplus: ['property surplus should not exist'] }],
    [
      { number: 1, address: { city: 'a city with far too long a name' } },
      { 'address.city': ['address.city must be shorter than or equal to 20 characters'] },
    ],
    [{ number: 1, address: { city: 'Boise', zip: 1 } }, { 'address.zip': ['property zip should not exist'] }],
    [
      { number: 'one', surplus: true },
      {
        surplus: ['property surplus should not exist'],
        number: ['number must be an integer number'],
      },
    ],
    [
      { number: 1, hasOwnProperty: true, constructor: {} },
      {
        hasOwnProperty: ['property hasOwnProperty should not exist'],
        constructor: ['property constructor should not exist'],
      },
    ],
    [null, { '': ['must be an object'] }],
    [[1], { '': ['must be an object'] }],
  ])('%j is refused with the fields that are wrong', async (value, fields) => {
    await expect(validated(WorkRequest, value)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { fields },
    });
  });

  it('is told first what it lacks, and in one plain sentence each', async () => {
    const refused = validated(SignUpRequest, {
      surplus: true,
      email: 'ada',
      firstName: '',
      linkedInUrl: 'x',
    });
    const { fields } = (await refused.catch((error: DomainError) => error.details)) as Required<ErrorDetails>;
    expect(Object.entries(fields)).toEqual([
      ['lastName', ['Last name is required']],
      ['password', ['Password is required']],
      ['surplus', ['property surplus should not exist']],
      ['email', ['Invalid email address']],
      ['firstName', ['First name is required']],
      ['linkedInUrl', ['linkedInUrl must be a http or https address']],
    ]);
  });

  it('that needs nothing takes nothing', async () => {
    await expect(validated(Nothing, {})).resolves.toBeInstanceOf(Nothing);
    await expect(validated(Nothing, { extra: 1 })).rejects.toMatchObject({
      details: { fields: { extra: ['property extra should not exist'] } },
    });
  });
});
