import type { CommunitySettings, SecondFactors } from '@meetmark/contracts';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { SessionContext } from '../auth/session';
import { inThisTab, persist } from '../../ui/persisted-state';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import SetupScreen from './setup-screen';

const SETTINGS: CommunitySettings = {
  ...{
    name: 'Our community',
    headline: 'Come and meet each other',
    tagline: '',
    supportEmail: 'a@example.org',
  },
  ...{
    linkedInUrl: null,
    logoUrl: null,
    heroUrl: null,
    heroPattern: null,
    brandColour: null,
    secondColour: null,
    font: null,
    sponsors: [],
  },
  ...{ currency: 'EUR', timeZone: 'UTC', locale: 'en-US', weekStart: 'locale', copyrightYear: 2026 },
  ...{ memberProposals: false, contactHost: true, publicAttendees: false, mapUrl: null, signInButton: false },
  ...{ languages: null, formOfAddress: 'formal' },
  ...{ paymentNoteDefault: 'By card', senderName: null, terms: null, privacy: null },
};
const CODES = ['aaaa-bbbb', 'cccc-dddd'];
const FACTOR = {
  id: 'one',
  kind: 'totp',
  name: 'Phone',
  createdAt: '2026-11-23T08:00:00.000Z',
  lastUsedAt: null,
};

/** The steps as an owner without a second factor meets them; `added` is what the session learns once there is one. */
function open(required: boolean) {
  persist('setup', 'community', inThisTab);
  let factors: SecondFactors = { factors: [], recoveryCodesLeft: 0, required };
  const requests = fakeApi({
    'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
    'GET /api/user/second-factors': () => ({ body: factors }),
    'POST /api/user/second-factors/totp': () => ({ body: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x' } }),
    'POST /api/user/second-factors/totp/confirm': () => {
      factors = { factors: [FACTOR as SecondFactors['factors'][number]], recoveryCodesLeft: 2, required };
      added();
      return { body: { factor: FACTOR, recoveryCodes: CODES } };
    },
    'GET /api/admin/settings': () => refusal(503, 'SERVICE_UNAVAILABLE', 'Not now'),
  });
  let added = (): void => undefined;
  function Signed() {
    const [hasSecondFactor, setHas] = useState(false);
    added = () => act(() => setHas(true));
    const user = aUser({ isAdmin: true, role: 'owner', hasSecondFactor });
    return (
      <SessionContext value={{ status: 'signed-in', user }}>
        <SetupScreen />
      </SessionContext>
    );
  }
  renderScreen(<Signed />, { user: null, path: '/setup' });
  return { asked: (path: string) => requests.some((request) => request.path === path) };
}
afterEach(() => persist('setup', null, inThisTab));

describe('the first owner', () => {
  it('goes on once a required second factor is added and its recovery codes were shown', async () => {
    const { asked } = open(true);
    const next = await screen.findByRole('button', { name: 'Continue' });
    expect(next.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(next);
    fireEvent.click(screen.getByRole('button', { name: 'Add an authenticator app' }));
    const adding = within(await screen.findByRole('dialog'));
    fireEvent.change(await adding.findByLabelText('Name'), { target: { value: 'Phone' } });
    fireEvent.change(adding.getByLabelText('Code from the app'), { target: { value: '123456' } });
    fireEvent.click(adding.getByRole('button', { name: 'Add' }));
    await screen.findByText(CODES[0]!);
    expect(asked('/api/admin/settings')).toBe(false);
    fireEvent.click(screen.getByRole('button', { name: 'I have kept them' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await screen.findByRole('alert');
    expect(asked('/api/admin/settings')).toBe(true);
  });

  it('goes on at once where none is required', async () => {
    const { asked } = open(false);
    await screen.findByRole('alert');
    expect(asked('/api/admin/settings')).toBe(true);
  });

  it('needs a password of ten characters', async () => {
    persist('setup', null, inThisTab);
    fakeApi({ 'GET /api/setup': () => ({ body: { open: true } }) });
    renderScreen(<SetupScreen />, { user: null, path: '/setup#secret' });
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'nine long' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByText('Enter at least 10 characters');
  });

  it('goes back from step to step, up to the community', async () => {
    persist('setup', 'organisers', inThisTab);
    fakeApi({
      'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
      'GET /api/user/second-factors': () => ({
        body: { factors: [], recoveryCodesLeft: 0, required: false },
      }),
      'GET /api/admin/settings': () => ({ body: { version: 1, settings: SETTINGS, locked: [] } }),
    });
    renderScreen(<SetupScreen />, { user: aUser({ isAdmin: true, role: 'owner' }), path: '/setup' });
    for (const title of ['First event', 'Place and language', 'Community']) {
      fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
      await screen.findByRole('heading', { name: title });
    }
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });
});
