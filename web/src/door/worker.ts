/** The build defines these constants. The version changes with the files. */
declare const PAGE_FILES: string[];
declare const PAGE_VERSION: string;

/** TypeScript's own service-worker types conflict with those of pages. */
interface WorkerEvent extends Event {
  waitUntil: (work: Promise<unknown>) => void;
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
interface DoorWorker {
  skipWaiting: () => Promise<void>;
  clients: { claim: () => Promise<void> };
  location: Location;
  addEventListener: ((type: 'install' | 'activate', listener: (event: WorkerEvent) => void) => void) &
    ((type: 'fetch', listener: (event: FetchEvent) => void) => void);
}

export {};
const worker = self as unknown as DoorWorker;
const PREFIX = 'door-';
const CACHE = PREFIX + PAGE_VERSION;
const PAGE = '/door.html';
/** Milliseconds to wait for the network before using the cache. */
const PATIENCE = 3_000;

worker.addEventListener('install', (event) => {
  const install = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll([PAGE, ...PAGE_FILES].map((file) => new Request(file, { cache: 'reload' })));
    await worker.skipWaiting();
  };
  event.waitUntil(install());
});

worker.addEventListener('activate', (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (PAGE_FILES.includes(pathname)) event.respondWith(file(request));
});

/** Network first, so that a release applies as soon as the phone is online. */
async function page(request: Request): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status < 500) return response;
  } catch {
    // no network
  }
  return (await caches.match(PAGE, { cacheName: CACHE })) ?? Response.error();
}

const file = async (request: Request): Promise<Response> =>
  (await caches.match(request.url, { cacheName: CACHE })) ?? fetch(request);
