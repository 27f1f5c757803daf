import type { Checklist, MailCheck, MailStatus, SystemStatus } from '@meetmark/contracts';
import { screen, waitFor } from '@testing-library/react';
import { fillFields, findRegion, getTexts, press } from '../../../testing/actions';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { MailCheck as MailCheckPanel } from './mail-check';
import { SystemPage } from './system-page';

const refused: MailStatus = {
  ...{ id: '1', kind: 'mail.code', state: 'refused', createdAt: '2026-01-15T12:00:00.000Z', sentAt: null },
  ...{ attempts: 1, nextAttemptAt: null, recipient: 'nobody@example.org', lastError: '550 no such mailbox' },
};
const checklist: Checklist = { items: [], mailArrived: false, mailCheck: null, lastBackup: null };
const status: SystemStatus = {
  ...{ processes: [], queues: [], lastMails: [], refusedMails: [], lastSchedulerTick: null },
};

describe('The System page', () => {
  const open = (given: Partial<SystemStatus>) => {
    fakeApi({
      'GET /api/admin/system': () => ({ body: { ...status, ...given } }),
      'GET /api/admin/checklist': () => ({ body: checklist }),
    });
    renderScreen(<SystemPage />, { user: aUser({ isAdmin: true }) });
  };

  it('shows problems with emails, images and settings, and the last backup', async () => {
    open({
      processes: [
        { name: 'worker', replicas: 1 },
        { name: 'gateway', replicas: 2, withoutPictures: 1 },
      ],
      refusedMails: [refused],
      lastMails: [{ ...refused, state: 'failing', nextAttemptAt: '2026-01-15T13:30:00.000Z' }],
      leftOutSettings: [
        { name: 'logoUrl', sponsor: null, value: 'https://cdn,example.org/logo.png' },
        { name: 'sponsors', sponsor: 'Ponte', value: 'https://cdn;example.org/x.png' },
      ],
      lastBackup: '2026-01-15T03:00:00.000Z',
    });
    const services = await findRegion('Services');
    services.getByText('1 replica can’t process images. Check the log.');
    const refusals = await findRegion('Emails not delivered');
    refusals.getByText('nobody@example.org');
    refusals.getByText('550 no such mailbox');
    (await findRegion('Recent emails')).getByText(/^Next attempt: .*15.*30/);
    (await findRegion('Backup')).getByText(/^Last made .*15/);
    const settings = await findRegion('Ignored settings');
    settings.getByText('https://cdn,example.org/logo.png');
    settings.getByText('Ponte: https://cdn;example.org/x.png');
    const link = settings.getByRole('link', { name: 'Settings' });
    expect(link.getAttribute('href')).toBe('/admin/settings');
  });

  it('shows what the last nightly run deleted, but only of settings that are on', async () => {
    open({
      lastRetention: { ranAt: '2026-01-15T03:00:00.000Z', removed: { answersDays: 0, checkInsDays: 12 } },
    });
    const deleted = await findRegion('Deleted data');
    deleted.getByText(/^Last run .*15/);
    const counts = getTexts(deleted.getAllByRole('listitem'));
    expect(counts).toEqual(['Answers to registration questions 0', 'Check-ins 12']);
  });

  it('says that there is no backup yet, and hides an empty list of undelivered emails', async () => {
    open({ lastBackup: null });
    (await findRegion('Backup')).getByText('No backup yet');
    expect(screen.queryByText('Emails not delivered')).toBeNull();
  });
});

describe('The email check', () => {
  const found: MailCheck = {
    domain: 'meet.example',
    selector: 's1',
    records: [
      { name: 'spf', state: 'found', host: 'meet.example', value: 'v=spf1 -all' },
      { name: 'dkim', state: 'missing', host: 's1._domainkey.meet.example', value: 'v=DKIM1; p=<key>' },
      { name: 'dmarc', state: 'unknown', host: '_dmarc.meet.example', value: null },
    ],
    checkedAt: '2026-01-15T12:00:00.000Z',
  };
  const open = (answer: ReturnType<typeof refusal>, last: MailCheck | null = null) => {
    let mailCheck = last;
    const requests = fakeApi({
      'GET /api/admin/checklist': () => ({ body: { ...checklist, mailCheck } }),
      'POST /api/admin/mail-check': () => {
        mailCheck = found;
        return answer;
      },
    });
    renderScreen(<MailCheckPanel />, { user: aUser({ isAdmin: true }) });
    return requests;
  };
  const accepted = { status: 202, body: { message: 'The records are being looked up' } };
  const findField = () => screen.findByLabelText<HTMLInputElement>('DKIM selector');
  const check = async (selector: string) => {
    await findField();
    fillFields({ 'DKIM selector': selector });
    await press('Check');
  };

  it('shows found, missing and unknown DNS records after a check', async () => {
    const requests = open(accepted);
    await check(' s1 ');
    await screen.findByText(/^meet.example, checked/);
    expect(requests.bodies()).toEqual([{ selector: 's1' }]);
    for (const words of [
      ...['Found', 'Missing', 'Unknown'],
      ...['v=spf1 -all', 's1._domainkey.meet.example', 'v=DKIM1; p=<key>'],
      'The DNS server didn’t answer for _dmarc.meet.example. Try again later.',
    ])
      screen.getByText(words);
    expect(screen.getAllByRole('button', { name: 'Copy record' })).toHaveLength(1);
  });

  it('asks to keep one of duplicate records, and for a selector if the last check had none', async () => {
    const [spf, dkim] = found.records as [MailCheck['records'][0], MailCheck['records'][0]];
    const records = [
      { ...spf, state: 'several' as const, value: 'v=spf1 -all\nv=spf1 mx -all' },
      { ...dkim, state: 'unknown' as const, host: null, value: null },
    ];
    open(accepted, { ...found, selector: null, records });
    await screen.findByText('More than one');
    screen.getByText(/Keep only one:$/);
    for (const text of ['v=spf1 -all', 'v=spf1 mx -all']) screen.getByText(text);
    screen.getByText('To check DKIM, enter the selector above.');
    expect((await findField()).value).toBe('');
    expect(screen.queryByRole('button', { name: 'Copy record' })).toBeNull();
  });

  it('shows an error at the field when the selector is invalid', async () => {
    const fields = { selector: ['selector must be a name such as mail'] };
    const rules = { selector: { rule: 'isSelector' } };
    open(refusal(400, 'VALIDATION_FAILED', 'Invalid', { fields, rules }), found);
    const field = await findField();
    expect(field.value).toBe('s1');
    await check('s1 x');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    screen.getByText(/only letters, digits, hyphens and dots/);
  });
});
