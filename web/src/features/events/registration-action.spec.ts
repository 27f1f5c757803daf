import { registrationAction } from './registration-action';

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
