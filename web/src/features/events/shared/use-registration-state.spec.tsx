import { jest } from '@jest/globals';
import type { Event } from '@meetmark/contracts';
import { act, screen } from '@testing-library/react';
import { fakeApi } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { anEvent } from '../../../testing/samples';
import { useRegistrationState } from './use-registration-state';

const START = Date.parse('2030-05-01T09:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function State({ event }: { event: Event }) {
  return <p>{useRegistrationState(event)}</p>;
}

describe('The state of an event on a page that stays open', () => {
  beforeEach(() => {
    fakeApi({});
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  const shown = (words: string) => expect(screen.getByText(words)).toBeTruthy();
  const pass = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds));

  it('is the server’s, and passes every moment at which time changes it', () => {
    jest.setSystemTime(START - 40 * DAY);
    const event = anEvent({
      registrationOpensAt: new Date(START - 30 * DAY).toISOString(),
      registrationClosesAt: new Date(START - HOUR).toISOString(),
      registrationState: 'scheduled',
      capacity: 2,
      registrationCount: 2,
    });
    renderScreen(<State event={event} />, { user: null });
    shown('scheduled');
    pass(10 * DAY - 1);
    shown('scheduled');
    pass(1);
    shown('waitlist');
    // longer than the timer of a browser can wait
    pass(30 * DAY - HOUR);
    shown('closed');
    pass(HOUR);
    shown('started');
    pass(2 * HOUR);
    shown('ended');
    pass(100 * DAY);
    shown('ended');
  });

  it('is the server’s although this clock says otherwise, for a minute', () => {
    jest.setSystemTime(START + 1_000);
    renderScreen(<State event={anEvent({ registrationState: 'open' })} />, { user: null });
    shown('open');
    pass(59_000);
    shown('open');
    pass(1_000);
    shown('started');
  });

  it('of a cancelled event stays', () => {
    jest.setSystemTime(START - HOUR);
    renderScreen(<State event={anEvent({ status: 'cancelled', registrationState: 'cancelled' })} />, {
      user: null,
    });
    pass(DAY);
    shown('cancelled');
  });
});
