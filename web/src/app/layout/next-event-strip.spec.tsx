import type { Event } from '@meetmark/contracts';
import { aRegistration } from '@meetmark/testing/factories/samples';
import { screen, waitFor } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import { NextEventStrip } from './next-event-strip';

describe('The strip of the next event', () => {
  it('goes on to the one after it when the event has started', async () => {
    const answers = [anEvent({ registrationState: 'started' }), anEvent({ id: '2', title: 'Copy clinic' })];
    fakeApi({ 'GET /api/events/public': () => ({ body: answers.splice(0, 1) }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText(/^Next Event: Copy clinic/);
  });

  it('is not there when nothing is to come', async () => {
    const requests = fakeApi({ 'GET /api/events/public': () => ({ body: [] }) });
    renderScreen(<NextEventStrip />, { user: null });
    await waitFor(() => expect(requests).toHaveLength(1));
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  it.each([
    ['Register Now!', {}],
    ['Fully booked', { registrationState: 'waitlist' }],
    ['Fully booked', { registrationState: 'full' }],
    ['You are going', { registrationState: 'full', registrations: [aRegistration()] }],
    [
      'Registration closed',
      { registrationState: 'closed', registrations: [aRegistration({ status: 'cancelled' })] },
    ],
  ] as const)('ends with %s for %j', async (end, given) => {
    fakeApi({ 'GET /api/events/public': () => ({ body: [anEvent(given as Partial<Event>)] }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText((words) => words.startsWith('Next Event:') && words.endsWith(` • ${end}`));
  });

  it('leads to the one address that the event has', async () => {
    const event = anEvent();
    fakeApi({ 'GET /api/events/public': () => ({ body: [event] }) });
    renderScreen(<NextEventStrip />, { user: null });
    const link = await screen.findByRole('link', { name: /^Next Event:/ });
    expect(link.getAttribute('href')).toBe(`/events/${event.id}`);
  });
});
