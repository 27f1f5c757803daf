import { screen, waitFor } from '@testing-library/react';
import { fillFields, press } from '../../../testing/actions';
import { fakeApi } from '../../../testing/fake-api';
import { renderScreen } from '../../../testing/render-screen';
import { aUser } from '../../../testing/samples';
import ImportDialog from './import-dialog';

const LABEL = 'Or from a URL';

const open = (urls: boolean, file = '') => {
  const requests = fakeApi({
    'GET /api/admin/imports': () => ({ body: [] }),
    'GET /api/admin/imports/options': () => ({ body: { urls } }),
    'POST /api/admin/imports/fetch': () => ({ body: new TextEncoder().encode(file) }),
  });
  renderScreen(<ImportDialog close={() => undefined} />, { user: aUser({ role: 'organiser' }) });
  return requests;
};
const load = async (link: string) => {
  await screen.findByLabelText(LABEL);
  fillFields({ [LABEL]: link });
  await press('Load');
};

describe('importing from a URL', () => {
  it('asks the server for the file and reads it like a chosen one', async () => {
    const requests = open(true, 'Talk;When\nTea;03/04/2031');
    await load(' webcal://example.org/secret.ics ');
    await screen.findByText('Choose the column for each field. Title and start are required.');
    expect(requests.at(-1)).toMatchObject({ body: { url: 'https://example.org/secret.ics' } });
  });

  it('needs a column for the start', async () => {
    open(true, 'Title;Room\nTea;Hall');
    await load('https://example.org/');
    const button = await screen.findByRole('button', { name: 'Check events' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it('reports a file that it can’t read', async () => {
    open(true, '\0');
    await load('https://example.org/');
    await screen.findByText('We can’t read this file. Choose an .ics or CSV file.');
  });

  it('is not offered when the server does not allow it', async () => {
    const requests = open(false);
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
    expect(requests.map(({ path }) => path)).toContain('/api/admin/imports/options');
    expect(screen.queryByLabelText(LABEL)).toBeNull();
  });
});
