import type { ErrorCode } from '@meetmark/contracts';
import { ApiError } from '../../api/client';
import { registrationAction, registrationFailure } from './registration-action';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const past = { startDate: '2026-11-21T11:59:59Z', capacity: 1, registrationCount: 1 };
const full = { startDate: '2026-11-22T12:00:00Z', capacity: 1, registrationCount: 1 };
const open = { startDate: '2026-11-22T12:00:00Z', capacity: 2, registrationCount: 1 };

describe('The action of an event card', () => {
  it('is Event Ended once the event has started, whoever looks', () => {
    expect(registrationAction(past, { signedIn: false, registered: false, now: NOW })).toBe('ended');
    expect(registrationAction(past, { signedIn: true, registered: true, now: NOW })).toBe('ended');
  });

  it('is Login to Register for visitors, also when the event is full', () => {
    expect(registrationAction(full, { signedIn: false, registered: false, now: NOW })).toBe('login');
  });

  it('is Registered for who has a place, also when the event is full', () => {
    expect(registrationAction(full, { signedIn: true, registered: true, now: NOW })).toBe('registered');
  });

  it('is Event Full when the last place is taken', () => {
    expect(registrationAction(full, { signedIn: true, registered: false, now: NOW })).toBe('full');
  });

  it('is Register otherwise, and always without a capacity', () => {
    expect(registrationAction(open, { signedIn: true, registered: false, now: NOW })).toBe('register');
    expect(
      registrationAction({ ...full, capacity: null }, { signedIn: true, registered: false, now: NOW }),
    ).toBe('register');
  });
});

describe('What a member reads of a registration that failed', () => {
  const refusedWith = (code: ErrorCode, message: string) =>
    new ApiError(409, '', { statusCode: 409, code, message, requestId: 'test' });

  it.each<[ErrorCode, string, string]>([
    [
      'EVENT_FULL',
      'This event is at full capacity',
      'This event is at full capacity. Registration is no longer available.',
    ],
    ['EVENT_NOT_FOUND', 'Event not found', 'This event is no longer available for registration.'],
    [
      'REGISTRATION_CLOSED',
      'Registration is closed: this event has already started',
      'Registration is closed: this event has already started',
    ],
  ])('%s, which the server words as %j, reads %j', (code, message, words) => {
    expect(registrationFailure(refusedWith(code, message))).toBe(words);
  });

  it('has words of its own for a failure without any', () => {
    expect(registrationFailure(new TypeError('Failed to fetch'))).toBe('Failed to register for event');
  });
});
