import type { AuditEntry } from '@meetmark/contracts';
import { screen } from '@testing-library/react';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { Changes } from './changes';

const shown = (given: Pick<AuditEntry, 'action'> & Partial<AuditEntry>) => {
  const entry: AuditEntry = {
    ...{ id: 'entry', actorId: 'ada', actorName: 'Ada', subjectId: 'tea', subjectName: 'Tea' },
    ...{ changed: [], values: {}, at: '2026-01-15T12:00:00.000Z' },
    ...given,
  };
  renderScreen(<Changes entry={entry} />, { user: aUser({ isAdmin: true }) });
  return screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
};

describe('An audit entry', () => {
  const DETAILS = { showMe: 'who can see they’re coming', locale: 'language', description: 'about me' };
  it.each<[AuditEntry['action'], labels: Record<string, string>]>([
    [
      'account.updated',
      { pendingEmail: 'new email address', emailVerified: 'email confirmation', ...DETAILS },
    ],
    ['event.updated', { description: 'description', registrationOpensAt: 'start of registration' }],
    ['event.updated', { coHosts: 'co-hosts' }],
    ['event.guestUpdated', { note: 'note', paid: 'payment' }],
    ['settings.changed', { locale: 'Language', brandColour: 'Brand color' }],
  ])('lists the changed fields of the action %s by their labels', (action, labels) => {
    expect(shown({ action, changed: Object.keys(labels) })).toEqual(Object.values(labels));
  });

  it('shows values before and after the change', () => {
    const role = { before: 'member', after: 'organiser' };
    const values = { role, capacity: { before: null, after: '30' } };
    const words = ['role: User → Organiser', 'capacity: none → 30'];
    expect(shown({ action: 'event.updated', values })).toEqual(words);
  });

  it('links a promotion from the waiting list to its event', async () => {
    shown({ action: 'waitlist.promoted', changed: ['01a2096f'] });
    const link = await screen.findByRole('link', { name: 'event' });
    expect(link.getAttribute('href')).toBe('/admin/events/01a2096f');
  });
});
