import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../app/theme/fonts.css';
import '../app/theme/global.css';
import { DoorScreen } from './door-screen';
import { DoorPhone, computeDigest } from './phone';
import { type DoorStore, memoryStore, openStore } from './store';

/** The link's token is only in the URL. Data is stored under the token's digest. */
const token = window.location.pathname.split('/').at(-1) ?? '';

async function keeping(): Promise<{ store: DoorStore; forgetful: boolean }> {
  try {
    const link = await computeDigest(token);
    if (link !== null) return { store: await openStore(link), forgetful: false };
  } catch {
    // some browsers refuse storage in private windows
  }
  return { store: memoryStore(), forgetful: true };
}

async function start(element: HTMLElement): Promise<void> {
  const { store, forgetful } = await keeping();
  const phone = new DoorPhone(token, store, { forgetful });
  createRoot(element).render(
    <StrictMode>
      <DoorScreen phone={phone} />
    </StrictMode>,
  );
  await phone.start();
}

const root = document.getElementById('root');
if (!root) throw new Error('door.html has no #root');
void start(root);
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  // without the service worker, everything works except opening the page offline
  navigator.serviceWorker
    .register('/door-worker.js', { scope: '/door/', updateViaCache: 'none' })
    .catch(() => undefined);
