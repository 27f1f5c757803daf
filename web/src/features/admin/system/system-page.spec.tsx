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
  ...{ attempts: 1, recipient: 'nobody@example.org', lastError: '550 no such mailbox' },
};
const checklist: Checklist = { items: [], mailArrived: false, mailCheck: null, lastBackup: null };
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
  fakeApi({
    'GET /api/admin/system': () => ({ body: status }),
    'GET /api/admin/checklist': () => ({ body: checklist }),
  });
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

describe('The mail check', () => {
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
  const section = () => screen.findByRole('region', { name: 'Mail check' });
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

  it('shows what was found, what to write where, and what is not known, once the worker has looked', async () => {
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
    within(region).getByText('The DNS did not answer about _dmarc.meet.example. Try again later.');
    for (const state of ['Found', 'Missing', 'Not known']) within(region).getByText(state);
  });

  it('shows each of several records, of which one may stay', async () => {
    const [first, ...others] = found.records;
    const twice = { ...first!, state: 'several' as const, value: 'v=spf1 -all\nv=spf1 mx -all' };
    open(accepted, { ...found, records: [twice, ...others] });
    const region = await section();
    await within(region).findByText('More than one');
    within(region).getByText(/Keep one:$/);
    for (const text of ['v=spf1 -all', 'v=spf1 mx -all']) within(region).getByText(text);
    expect(within(region).getAllByRole('button', { name: 'Copy record' })).toHaveLength(1);
  });

  it('begins with the last result and its selector, and asks for one where there was none', async () => {
    open(accepted, {
      ...found,
      selector: null,
      records: [{ ...found.records[1]!, state: 'unknown', host: null, value: null }],
    });
    const region = await section();
    await within(region).findByText('Enter the selector above to have it looked up.');
    expect(within(region).getByLabelText<HTMLInputElement>('DKIM selector').value).toBe('');
  });

  it('says at the field what is no selector', async () => {
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
    within(region).getByText(/Letters, digits, hyphens and dots only/);
  });
});
