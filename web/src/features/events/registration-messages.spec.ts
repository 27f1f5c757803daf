import { ApiError } from '../../api/client';
import { registrationFailure, registrationSuccess } from './registration-messages';

const refusedWith = (message: string) =>
  new ApiError(409, '', { statusCode: 409, code: 'EVENT_FULL', message, requestId: 'test' });

describe('What a member reads after registering', () => {
  it.each([
    [
      'This event is at full capacity',
      'This event is at full capacity. Registration is no longer available.',
    ],
    ['User already registered', 'You are already registered for this event.'],
    ['Event not found', 'This event is no longer available for registration.'],
    [
      'Registration is closed: this event has already started',
      'Registration is closed: this event has already started',
    ],
  ])('the refusal %p is told as %p', (message, told) => {
    expect(registrationFailure(refusedWith(message))).toBe(told);
  });

  it('a failure without words is told in words of ours', () => {
    expect(registrationFailure(new TypeError('Failed to fetch'))).toBe('Failed to register for event');
  });

  it('a success says whether the place is new', () => {
    expect(registrationSuccess('Successfully registered for event')).toBe(
      'Successfully registered for event',
    );
    expect(registrationSuccess('You are already registered for this event')).toBe(
      'You are already registered for this event',
    );
  });
});
