import type { ErrorCode } from '@meetmark/contracts';
import { ApiError } from '../../api/client';
import { registrationAction, registrationFailure } from './registration-action';

const visitor = { signedIn: false, place: null };
const member = { signedIn: true, place: null };
const registered = { signedIn: true, place: 'registered' } as const;
const waiting = { signedIn: true, place: { joinedAt: '2026-11-21T12:00:00Z', position: 3 } };

describe('The action of an event card', () => {
  it.each([
    ['started', registered, 'ended'],
    ['ended', visitor, 'ended'],
    ['cancelled', registered, 'cancelled'],
    ['open', visitor, 'login'],
    ['open', member, 'register'],
    ['waitlist', visitor, 'joinAfterLogin'],
    ['waitlist', member, 'join'],
    ['waitlist', registered, 'registered'],
    ['waitlist', waiting, 'waiting'],
    ['closed', waiting, 'waiting'],
    ['full', visitor, 'full'],
    ['full', member, 'full'],
    ['scheduled', visitor, 'scheduled'],
    ['closed', member, 'closed'],
  ] as const)('in the state %s for %j is %s', (state, circumstances, action) => {
    expect(registrationAction(state, circumstances)).toBe(action);
  });

  it('is Event Ended in a state that a newer server has and this page does not know', () => {
    expect(registrationAction('postponed' as never, member)).toBe('ended');
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
    expect(registrationFailure(refusedWith(code, message), { waitlistEnabled: false })).toBe(words);
  });

  it('names the waiting list of an event that has one', () => {
    expect(
      registrationFailure(refusedWith('EVENT_FULL', 'This event is at full capacity'), {
        waitlistEnabled: true,
      }),
    ).toBe('This event is at full capacity. You can join the waiting list.');
  });

  it('has words of its own for a failure without any', () => {
    expect(registrationFailure(new TypeError('Failed to fetch'), { waitlistEnabled: true })).toBe(
      'Failed to register for event',
    );
  });
});
