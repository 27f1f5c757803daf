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
  it.each<[of: string, Pick<AuditEntry, 'action' | 'changed'>, words: string[]]>([
    [
      'an account',
      {
        action: 'account.updated',
        changed: ['pendingEmail', 'emailVerified', 'showMe', 'locale', 'description'],
      },
      ['new email address', 'email confirmation', 'who can see they’re coming', 'language', 'about me'],
    ],
    [
      'an event',
      { action: 'event.updated', changed: ['description', 'registrationOpensAt', 'coHosts'] },
      ['description', 'start of registration', 'co-hosts'],
    ],
    ['a guest', { action: 'event.guestUpdated', changed: ['note', 'paid'] }, ['note', 'payment']],
    [
      'the settings',
      { action: 'settings.changed', changed: ['locale', 'brandColour'] },
      ['Language', 'Brand color'],
    ],
  ])('lists the changed fields of %s by their labels', (_of, entry, words) => {
    expect(shown(entry)).toEqual(words);
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
