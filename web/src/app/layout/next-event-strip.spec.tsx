import { screen } from '@testing-library/react';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { anEvent } from '../../testing/samples';
import { NextEventStrip } from './next-event-strip';

describe('The strip of the next event', () => {
  it('goes on to the one after it when the event has started', async () => {
    const answers = [anEvent({ startDate: '2020-05-01T09:00:00.000Z' }), anEvent({ title: 'Copy clinic' })];
    fakeApi({ 'GET /api/events/public': () => ({ body: answers.splice(0, 1) }) });
    renderScreen(<NextEventStrip />, { user: null });
    await screen.findByText(/^Next Event: Copy clinic/);
  });

  it('leads to the one address that the event has', async () => {
    const event = anEvent();
    fakeApi({ 'GET /api/events/public': () => ({ body: [event] }) });
    renderScreen(<NextEventStrip />, { user: null });
    const link = await screen.findByRole('link', { name: /^Next Event:/ });
    expect(link.getAttribute('href')).toBe(`/events/${event.id}`);
  });
});
