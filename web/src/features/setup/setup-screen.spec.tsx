import { jest } from '@jest/globals';
import type { SecondFactors } from '@meetmark/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { SessionContext } from '../auth/session';
import { inThisTab, persist } from '../../ui/persisted-state';
import { fakeApi, refusal } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser, someSettings } from '../../testing/samples';
import SetupScreen from './setup-screen';

const CODES = ['aaaa-bbbb', 'cccc-dddd'];
const FACTOR = {
  id: 'one',
  kind: 'totp',
  name: 'Phone',
  createdAt: '2026-11-23T08:00:00.000Z',
  lastUsedAt: null,
};

/** Opens the setup for an admin without a second factor. A test can add one in the dialog. */
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

const OWNER = aUser({ isAdmin: true, role: 'owner' });

const serveSettings = (version: number, more: Parameters<typeof fakeApi>[0] = {}) =>
  fakeApi({
    'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
    'GET /api/user/second-factors': () => ({ body: { factors: [], recoveryCodesLeft: 0, required: false } }),
    'GET /api/admin/settings': () => ({ body: { version, settings: someSettings(), locked: [] } }),
    ...more,
  });

afterEach(() => jest.restoreAllMocks());
afterEach(() => persist('setup', null, inThisTab));

describe('The first owner', () => {
  it('continues after adding a required second factor and saving its recovery codes', async () => {
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
    fireEvent.click(screen.getByRole('button', { name: 'I’ve saved them' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Continue' }));
    await screen.findByRole('alert');
    expect(asked('/api/admin/settings')).toBe(true);
  });

  it('continues the setup immediately when no second factor is required', async () => {
    const { asked } = open(false);
    await screen.findByRole('alert');
    expect(asked('/api/admin/settings')).toBe(true);
  });

  it('needs a password of at least ten characters', async () => {
    persist('setup', null, inThisTab);
    fakeApi({ 'GET /api/setup': () => ({ body: { open: true } }) });
    renderScreen(<SetupScreen />, { user: null, path: '/setup#secret' });
    fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'nine long' } });
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await screen.findByText('Enter at least 10 characters');
  });

  it('cannot publish a first event with a five-digit year', async () => {
    persist('setup', 'event', inThisTab);
    const requests = fakeApi({
      'GET /api/setup': () => refusal(404, 'NOT_FOUND', 'Not Found'),
      'GET /api/user/second-factors': () => ({
        body: { factors: [], recoveryCodesLeft: 0, required: false },
      }),
      'GET /api/admin/settings': () => ({ body: { version: 1, settings: someSettings(), locked: [] } }),
    });
    renderScreen(<SetupScreen />, { user: aUser({ isAdmin: true, role: 'owner' }), path: '/setup' });
    fireEvent.change(await screen.findByLabelText('What is it called?'), {
      target: { value: 'First meetup' },
    });
    fireEvent.change(screen.getByLabelText('Day'), { target: { value: '20271-01-15' } });
    fireEvent.click(screen.getByRole('button', { name: 'Publish' }));
    await screen.findByText('Fill in the whole date, with a year from 1900 to 2999');
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('goes back step by step to the Community step', async () => {
    persist('setup', 'organisers', inThisTab);
    serveSettings(1);
    renderScreen(<SetupScreen />, { user: OWNER, path: '/setup' });
    for (const title of ['First event', 'Region and language', 'Community']) {
      fireEvent.click(await screen.findByRole('button', { name: 'Back' }));
      await screen.findByRole('heading', { name: title });
    }
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });

  it.each(['en-US@posix', 'C', '*'])(
    'reaches the Community step in a browser with the language %s',
    async (language) => {
      jest.spyOn(window.navigator, 'language', 'get').mockReturnValue(language);
      persist('setup', 'community', inThisTab);
      serveSettings(1);
      renderScreen(<SetupScreen />, { user: OWNER, path: '/setup' });
      await screen.findByRole('heading', { name: 'Community' });
    },
  );

  it('resumes the setup in another tab until the first settings are saved', async () => {
    persist('setup', null, inThisTab);
    serveSettings(1);
    renderScreen(<SetupScreen />, { user: OWNER, path: '/setup' });
    await screen.findByRole('heading', { name: 'Community' });
  });

  it('adds a required second factor before resuming the setup in another tab', async () => {
    persist('setup', null, inThisTab);
    serveSettings(1, {
      'GET /api/user/second-factors': () => ({ body: { factors: [], recoveryCodesLeft: 0, required: true } }),
      'GET /api/admin/settings': () => refusal(403, 'SECOND_FACTOR_SETUP_REQUIRED', 'Add a second factor'),
    });
    renderScreen(<SetupScreen />, { user: OWNER, path: '/setup' });
    await screen.findByRole('button', { name: 'Add an authenticator app' });
  });

  it('does not repeat the setup once settings were saved', async () => {
    persist('setup', null, inThisTab);
    const requests = serveSettings(2);
    renderScreen(<SetupScreen />, { user: OWNER, path: '/setup' });
    await waitFor(() => expect(requests.map(({ path }) => path)).toContain('/api/admin/settings'));
    await screen.findByRole('heading', { name: 'This site already has an admin' });
    expect(screen.queryByRole('link', { name: 'Sign in to finish the setup' })).toBeNull();
  });

  it('can sign in when the setup link was already used', async () => {
    persist('setup', null, inThisTab);
    serveSettings(1);
    renderScreen(<SetupScreen />, { user: null, path: '/setup#secret' });
    const link = await screen.findByRole('link', { name: 'Sign in to finish the setup' });
    expect(link.getAttribute('href')).toBe('/api/login?returnTo=%2Fsetup');
  });
});
