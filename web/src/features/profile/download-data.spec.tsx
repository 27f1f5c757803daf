import { screen } from '@testing-library/react';
import { press } from '../../testing/actions';
import { fakeApi } from '../../testing/fake-api';
import { renderScreen } from '../../testing/render-screen';
import { aUser } from '../../testing/samples';
import { DownloadDataCard } from './download-data';

const EXPORT = 'GET /api/user/export';
const pending = {
  ...{ id: '1', requestedAt: '2026-12-01T10:00:00.000Z', expiresAt: '2026-12-02T10:00:00.000Z' },
  ...{ readyAt: null, size: null },
};

describe('The card for downloading your data', () => {
  it('says that the download is being prepared after a request', async () => {
    fakeApi({ [EXPORT]: () => ({ body: null }), 'POST /api/user/export': () => ({ body: pending }) });
    renderScreen(<DownloadDataCard />, { user: aUser() });
    await press('Prepare my download');
    await screen.findByText(/^We’re preparing your download/);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Download my data' }));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('links to the file and shows until when it is available', async () => {
    fakeApi({ [EXPORT]: () => ({ body: { ...pending, readyAt: pending.requestedAt, size: 5_000 } }) });
    renderScreen(<DownloadDataCard />, { user: aUser() });
    const link = await screen.findByRole('link', { name: 'Download ZIP file' });
    expect(link.getAttribute('href')).toBe('/api/user/export/file');
    screen.getByText(/^Your download is ready. You can get it until .*2/);
  });
});
