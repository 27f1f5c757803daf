import type { Settings } from '@meetmark/contracts';
import { DEFAULT_BRAND } from '@meetmark/contracts/palette';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { fakeApi, type Handlers, refusal } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser, someSettings } from '../../../testing/samples';
import { SettingsPage } from './settings-page';

const SAVED = someSettings();
const present: Settings = {
  version: 3,
  settings: SAVED,
  locked: ['currency'],
  changedBy: 'Ola Silva',
  changedAt: '2026-11-20T10:00:00.000Z',
};
const SETTINGS = '/api/admin/settings';

function open(handlers: Handlers = {}, settings = SAVED) {
  const requests = fakeApi({
    [`GET ${SETTINGS}`]: () => ({ body: { ...present, settings } }),
    [`GET ${SETTINGS}/versions`]: () => ({
      body: [
        {
          ...{ version: 3, changedBy: 'Ola Silva', changedAt: '2026-11-20T10:00:00.000Z' },
          changes: [
            { name: 'name', before: 'Our community', after: 'Rust Porto' },
            { name: 'heroPattern', before: null, after: 4 },
          ],
        },
      ],
    }),
    [`PUT ${SETTINGS}`]: () => ({ body: { ...present, version: 4 } }),
    'GET /api/config': () => ({ body: {} }),
    ...handlers,
  });
  return { requests, ...renderScreen(<SettingsPage />, { user: aUser({ isAdmin: true, role: 'owner' }) }) };
}

const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save Settings' }));

describe('The Settings page', () => {
  it('sends only the changed settings, with the loaded version', async () => {
    const { requests, toasts } = open();
    await type('Line below the headline', 'Rust, by the river.');
    save();
    await waitFor(() => expect(toasts).toMatchObject([{ title: 'Settings saved' }]));
    expect(requests.bodies()).toEqual([{ tagline: 'Rust, by the river.', version: 3 }]);
  });

  it('shows settings of the installation as read-only, with a reason', async () => {
    open();
    const currency = await screen.findByLabelText<HTMLSelectElement>('Currency');
    expect(currency.disabled).toBe(true);
    expect(currency.getAttribute('aria-describedby')).not.toBeNull();
    const reason = document.getElementById(currency.getAttribute('aria-describedby')!);
    expect(reason?.textContent).toBe('Set by the installation. You can’t change it here.');
    expect(screen.getByLabelText<HTMLSelectElement>('Time zone').disabled).toBe(false);
  });

  it('lists time zones by their current names', async () => {
    open();
    const { options } = await screen.findByLabelText<HTMLSelectElement>('Time zone');
    const names = Array.from(options, ({ value }) => value);
    expect(names).toEqual(expect.arrayContaining(['Europe/Kyiv', 'Asia/Kolkata', 'UTC']));
    expect(names).not.toContain('Europe/Kiev');
  });

  it('nests no block elements in inline elements', async () => {
    open();
    await screen.findByLabelText('Time zone');
    const inLines = [...document.querySelectorAll('span, label, button, a, p, h1, h2, h3, legend')]
      .flatMap((line) => [...line.querySelectorAll('p, div, ul, dl, h1, h2, h3, section')])
      .map(({ outerHTML }) => outerHTML);
    expect(inLines).toEqual([]);
  });

  it('previews a colour in both schemes, and suggests a readable text colour', async () => {
    const { light, dark, both } = DEFAULT_BRAND;
    open({
      [`GET ${SETTINGS}/palettes`]: () => ({ body: { light: { ...light, primary: '#736b00' }, dark, both } }),
    });
    await type('Brand color', '#ffee00');
    expect(await screen.findByText(/Text and links use #736b00, the closest/)).toBeTruthy();
    const preview = await screen.findByRole('group', { name: 'How it looks' });
    expect(within(preview).getByText('Light')).toBeTruthy();
    expect(within(preview).getByText('Dark')).toBeTruthy();
  });

  it('previews two colours and a font, and rejects an invalid colour', async () => {
    const { requests } = open({ [`GET ${SETTINGS}/palettes`]: () => ({ body: DEFAULT_BRAND }) });
    const asked = () =>
      requests.flatMap(({ path, query }) => (path.endsWith('/palettes') ? [String(query)] : []));
    await type('Brand color', '#d0021b');
    await type('Second color', '#1fb5a8');
    await waitFor(() =>
      expect(asked()).toEqual(['brandColour=%23d0021b', 'brandColour=%23d0021b&secondColour=%231fb5a8']),
    );
    const faces = () => document.querySelectorAll('link[href="/fonts.css"]').length;
    expect(faces()).toBe(0);
    await type('Font', 'source-serif-4');
    expect(faces()).toBe(1);
    const preview = await screen.findByRole('group', { name: 'How it looks' });
    expect(preview.parentElement?.style.fontFamily).toMatch(/^["']Source Serif 4["'], ?Georgia/);
    await type('Second color', '#1fb');
    save();
    expect(await screen.findByText('Enter a color such as #8a1c4a')).toBeTruthy();
    expect(requests.sent()).toEqual([]);
  });

  it('keeps an edited legal page as a draft until it is saved', async () => {
    const kept = () => Object.values(localStorage).filter((value) => String(value).includes('Half a page'));
    const first = open();
    await type('Terms', 'Half a page');
    await waitFor(() => expect(kept()).toHaveLength(1));
    first.unmount();
    const { requests } = open();
    fireEvent.click(await screen.findByRole('button', { name: 'Restore' }));
    save();
    await waitFor(() => expect(requests.bodies()).toMatchObject([{ terms: 'Half a page', version: 3 }]));
    await waitFor(() => expect(kept()).toEqual([]));
  });

  it('requires consent again only if that is chosen after the text was changed', async () => {
    const { requests } = open({}, { ...SAVED, terms: 'Be kind.', termsRequired: true });
    const required = await screen.findByLabelText<HTMLInputElement>(/^Everyone must accept these terms/);
    expect(required.checked).toBe(true);
    await type('Terms', 'Be kind and fair.');
    expect(required.checked).toBe(false);
    save();
    await waitFor(() =>
      expect(requests.bodies()).toMatchObject([{ terms: 'Be kind and fair.', termsRequired: false }]),
    );
  });

  it('sends how long data is kept, and null for an emptied field', async () => {
    const { requests } = open({}, { ...SAVED, checkInsDays: 90 });
    await type('Answers to registration questions (days)', '29');
    await type('Check-ins (days)', '');
    save();
    await screen.findByText('Enter a number from 30 to 3650, or leave this empty');
    await type('Answers to registration questions (days)', '30');
    save();
    await waitFor(() =>
      expect(requests.bodies()).toMatchObject([{ answersDays: 30, checkInsDays: null, version: 3 }]),
    );
  });

  it('shows invalid fields before sending, and the server’s logo error at the logo', async () => {
    const { requests } = open({
      [`PUT ${SETTINGS}`]: () => refusal(415, 'PICTURE_TYPE', 'The image must be a PNG'),
    });
    await type('Name of the community', ' ');
    await type('Email address for questions', 'nobody');
    save();
    expect(await screen.findByText('Fill this in')).toBeTruthy();
    expect(screen.getByText('Enter an email address')).toBeTruthy();
    expect(requests.sent()).toEqual([]);
    await type('Name of the community', 'Rust Braga');
    await type('Email address for questions', 'ola@rust.example');
    save();
    const logo = screen.getByRole('group', { name: 'Logo' });
    expect(await within(logo).findByRole('alert')).toHaveProperty('textContent', 'The image must be a PNG');
  });

  it('replaces the headline’s image with a pattern, which a second click deselects', async () => {
    const settings = { ...SAVED, heroUrl: '/media/community/hero.webp', heroPattern: 2 };
    const refused = () => refusal(503, 'UNAVAILABLE', 'Not now');
    const { requests } = open({ [`PUT ${SETTINGS}`]: refused }, settings);
    const patterns = await screen.findByRole('group', { name: 'Pattern behind the headline' });
    const waves = within(patterns).getByRole('button', { name: 'Waves' });
    const rings = within(patterns).getByRole('button', { name: 'Rings' });
    expect(rings.getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(waves);
    expect(waves.getAttribute('aria-pressed')).toBe('true');
    save();
    await waitFor(() => expect(requests.bodies()).toMatchObject([{ heroPattern: 4, heroUrl: null }]));
    fireEvent.click(waves);
    expect(waves.getAttribute('aria-pressed')).toBe('false');
  });

  it('shows another owner’s concurrent changes and keeps both owners’ changes', async () => {
    const theirs: Settings = { ...present, version: 4, settings: { ...SAVED, headline: 'Come by' } };
    const edits = [{ by: 'Rui Costa', own: false, at: present.changedAt!, changed: ['headline'] }];
    const conflict = refusal(409, 'EDIT_CONFLICT', 'changed meanwhile', { present: theirs, edits });
    const answers = [conflict, { body: { ...theirs, version: 5 } }];
    const { requests } = open({ [`PUT ${SETTINGS}`]: () => answers.shift()! });
    await type('Line below the headline', 'Mine');
    save();
    const notice = await screen.findByText(/Rui Costa/);
    expect(notice.textContent).toContain('Headline');
    fireEvent.click(screen.getByRole('button', { name: 'Save my changes' }));
    await waitFor(() => expect(requests.sent()).toHaveLength(2));
    expect(requests.bodies()[1]).toEqual({ tagline: 'Mine', version: 4 });
  });

  it('shows a readable history of changes', async () => {
    open();
    expect(await screen.findByText('Name of the community: Our community → Rust Porto')).toBeTruthy();
    expect(screen.getByText(/^Pattern behind the headline: .* → Waves$/)).toBeTruthy();
    expect(screen.getByText('Version 3')).toBeTruthy();
  });
});
