import type { LeftOutSetting, MailStatus, ProcessStatus, SystemStatus } from '@meetmark/contracts';
import { screen, within } from '@testing-library/react';
import { fakeApi } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { SystemPage } from './system-page';

const refused: MailStatus = {
  ...{ id: '1', kind: 'mail.code', state: 'refused', createdAt: '2026-01-15T12:00:00.000Z', sentAt: null },
  ...{ attempts: 1, recipient: 'nobody@example.org', lastError: '550 no such mailbox' },
};
const shown = (
  refusedMails: MailStatus[],
  leftOutSettings?: LeftOutSetting[],
  processes: ProcessStatus[] = [],
  lastBackup?: string | null,
) => {
  const status: SystemStatus = {
    ...{ processes, queues: [], lastMails: [], lastSchedulerTick: null },
    refusedMails,
    leftOutSettings,
    lastBackup,
  };
  fakeApi({ 'GET /api/admin/system': () => ({ body: status }) });
  renderScreen(<SystemPage />, { user: aUser({ isAdmin: true }) });
};

describe('The state of the system', () => {
  it('names the addresses that the mail server refuses, and why', async () => {
    shown([refused]);
    const section = await screen.findByRole('region', { name: 'Refused mails' });
    within(section).getByText('nobody@example.org');
    within(section).getByText('550 no such mailbox');
  });

  it('says at how many gateways no picture can be taken', async () => {
    shown([], undefined, [
      { name: 'worker', replicas: 1 },
      { name: 'gateway', replicas: 2, withoutPictures: 1 },
    ]);
    const section = await screen.findByRole('region', { name: 'Services' });
    within(section).getByText('1 replica without pictures: see its log');
  });

  it('names the settings that are left out, and leads to where they are corrected', async () => {
    shown(
      [],
      [
        { name: 'logoUrl', sponsor: null, value: 'https://cdn,example.org/logo.png' },
        { name: 'sponsors', sponsor: 'Ponte', value: 'https://cdn;example.org/x.png' },
      ],
    );
    const section = await screen.findByRole('region', { name: 'Settings that are left out' });
    within(section).getByText('https://cdn,example.org/logo.png');
    within(section).getByText('Ponte: https://cdn;example.org/x.png');
    expect(within(section).getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe(
      '/admin/settings',
    );
  });

  it.each([
    ['2026-01-15T03:00:00.000Z', /^Last made .*15/],
    [null, 'None has been made yet'],
  ])('says when the last backup was made: %s', async (lastBackup, said) => {
    shown([], undefined, [], lastBackup);
    within(await screen.findByRole('region', { name: 'Backup' })).getByText(said);
  });

  it('says nothing of refusals when there are none', async () => {
    shown([]);
    await screen.findByRole('region', { name: 'Last mails' });
    expect(screen.queryByText('Refused mails')).toBeNull();
  });
});
