import type {
  Checklist,
  LeftOutSetting,
  MailCheck,
  MailStatus,
  ProcessStatus,
  SystemStatus,
} from '@meetmark/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fakeApi, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import { SystemPage } from './system-page';

const refused: MailStatus = {
  ...{ id: '1', kind: 'mail.code', state: 'refused', createdAt: '2026-01-15T12:00:00.000Z', sentAt: null },
  ...{ attempts: 1, nextAttemptAt: null, recipient: 'nobody@example.org', lastError: '550 no such mailbox' },
};
const checklist: Checklist = { items: [], mailArrived: false, mailCheck: null, lastBackup: null };
const shown = (
  refusedMails: MailStatus[],
  leftOutSettings?: LeftOutSetting[],
  processes: ProcessStatus[] = [],
  lastBackup?: string | null,
  lastMails: MailStatus[] = [],
) => {
  const status: SystemStatus = {
    ...{ processes, queues: [], lastMails, lastSchedulerTick: null },
    refusedMails,
    leftOutSettings,
    lastBackup,
  };
  fakeApi({
    'GET /api/admin/system': () => ({ body: status }),
    'GET /api/admin/checklist': () => ({ body: checklist }),
  });
  renderScreen(<SystemPage />, { user: aUser({ isAdmin: true }) });
};

describe('The System page', () => {
  it('lists undelivered emails with the address and the reason', async () => {
    shown([refused]);
    const section = await screen.findByRole('region', { name: 'Emails not delivered' });
    within(section).getByText('nobody@example.org');
    within(section).getByText('550 no such mailbox');
  });

  it('says when a failing email will be retried', async () => {
    const failing: MailStatus = { ...refused, state: 'failing', nextAttemptAt: '2026-01-15T13:30:00.000Z' };
    shown([], undefined, [], undefined, [failing]);
    const section = await screen.findByRole('region', { name: 'Recent emails' });
    within(section).getByText(/^Next attempt: .*15.*30/);
  });

  it('says how many gateway replicas can’t process images', async () => {
    shown([], undefined, [
      { name: 'worker', replicas: 1 },
      { name: 'gateway', replicas: 2, withoutPictures: 1 },
    ]);
    const section = await screen.findByRole('region', { name: 'Services' });
    within(section).getByText('1 replica can’t process images. Check the log.');
  });

  it('lists ignored settings and links to the Settings page', async () => {
    shown(
      [],
      [
        { name: 'logoUrl', sponsor: null, value: 'https://cdn,example.org/logo.png' },
        { name: 'sponsors', sponsor: 'Ponte', value: 'https://cdn;example.org/x.png' },
      ],
    );
    const section = await screen.findByRole('region', { name: 'Ignored settings' });
    within(section).getByText('https://cdn,example.org/logo.png');
    within(section).getByText('Ponte: https://cdn;example.org/x.png');
    expect(within(section).getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe(
      '/admin/settings',
    );
  });

  it.each([
    ['2026-01-15T03:00:00.000Z', /^Last made .*15/],
    [null, 'No backup yet'],
  ])('says when the last backup was made: %s', async (lastBackup, said) => {
    shown([], undefined, [], lastBackup);
    within(await screen.findByRole('region', { name: 'Backup' })).getByText(said);
  });

  it('hides the list of undelivered emails when it is empty', async () => {
    shown([]);
    await screen.findByRole('region', { name: 'Recent emails' });
    expect(screen.queryByText('Emails not delivered')).toBeNull();
  });
});

describe('The email check', () => {
  const status: SystemStatus = {
    ...{ processes: [], queues: [], lastMails: [], refusedMails: [], lastSchedulerTick: null },
  };
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
  const section = () => screen.findByRole('region', { name: 'Email check' });
  const open = (answer: () => { status: number; body: unknown }, mailCheck: MailCheck | null = null) => {
    let present = mailCheck;
    const requests = fakeApi({
      'GET /api/admin/system': () => ({ body: status }),
      'GET /api/admin/checklist': () => ({ body: { ...checklist, mailCheck: present } }),
      'POST /api/admin/mail-check': () => {
        present = found;
        return answer();
      },
    });
    renderScreen(<SystemPage />, { user: aUser({ isAdmin: true }) });
    return requests;
  };
  const accepted = () => ({ status: 202, body: { message: 'The records are being looked up' } });

  it('shows found, missing and unknown DNS records after a check', async () => {
    const requests = open(accepted);
    const region = await section();
    await userEvent.type(await within(region).findByLabelText('DKIM selector'), ' s1 ');
    await userEvent.click(within(region).getByRole('button', { name: 'Check' }));
    await within(region).findByText(/^meet.example, checked/, undefined, { timeout: 5_000 });
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ selector: 's1' });
    within(region).getByText('v=spf1 -all');
    within(region).getByText('s1._domainkey.meet.example');
    within(region).getByText('v=DKIM1; p=<key>');
    expect(within(region).getAllByRole('button', { name: 'Copy record' })).toHaveLength(1);
    within(region).getByText('The DNS server didn’t answer for _dmarc.meet.example. Try again later.');
    for (const state of ['Found', 'Missing', 'Unknown']) within(region).getByText(state);
  });

  it('shows all duplicate records and asks to keep only one', async () => {
    const [first, ...others] = found.records;
    const twice = { ...first!, state: 'several' as const, value: 'v=spf1 -all\nv=spf1 mx -all' };
    open(accepted, { ...found, records: [twice, ...others] });
    const region = await section();
    await within(region).findByText('More than one');
    within(region).getByText(/Keep only one:$/);
    for (const text of ['v=spf1 -all', 'v=spf1 mx -all']) within(region).getByText(text);
    expect(within(region).getAllByRole('button', { name: 'Copy record' })).toHaveLength(1);
  });

  it('asks for a selector when the last check had none', async () => {
    open(accepted, {
      ...found,
      selector: null,
      records: [{ ...found.records[1]!, state: 'unknown', host: null, value: null }],
    });
    const region = await section();
    await within(region).findByText('To check DKIM, enter the selector above.');
    expect(within(region).getByLabelText<HTMLInputElement>('DKIM selector').value).toBe('');
  });

  it('shows an error at the field when the selector is invalid', async () => {
    const fields = { selector: ['selector must be a name such as mail'] };
    const rules = { selector: { rule: 'isSelector' } };
    open(
      () =>
        refusal(400, 'VALIDATION_FAILED', 'Invalid', { fields, rules }) as { status: number; body: unknown },
      found,
    );
    const region = await section();
    const field = await within(region).findByLabelText<HTMLInputElement>('DKIM selector');
    expect(field.value).toBe('s1');
    await userEvent.type(field, ' x');
    await userEvent.click(within(region).getByRole('button', { name: 'Check' }));
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    within(region).getByText(/only letters, digits, hyphens and dots/);
  });
});
