// Applies the chosen colour scheme (src/app/theme/use-scheme.ts) before the first paint. Without a choice,
// CSS follows the system's scheme.
try {
  const chosen = localStorage.getItem('color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // without storage, CSS follows the system's scheme
}

/** Milliseconds after which the application starts, even if the image isn't loaded. */
const LONGEST = 1500;

// On some pages, the gateway defers the application's files (gateway/src/site/index-page.ts). They are loaded
// here, after the page's image is painted.
addEventListener('DOMContentLoaded', () => {
  const files = document.querySelector('template#start');
  if (files === null) return;
  const start = () => document.head.append(files.content);
  if (document.hidden) return start();
  setTimeout(start, LONGEST);
  const picture = document.querySelector('#root img[fetchpriority]');
  const arrived =
    picture === null || picture.complete
      ? undefined
      : new Promise((go) => ['load', 'error'].forEach((outcome) => picture.addEventListener(outcome, go)));
  // a busy machine paints a loaded image late, so this also waits for the first paint
  const seen = PerformanceObserver.supportedEntryTypes?.includes('paint')
    ? new Promise((go) => new PerformanceObserver(go).observe({ type: 'paint', buffered: true }))
    : undefined;
  void Promise.all([arrived, seen]).then(() =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start))),
  );
});
