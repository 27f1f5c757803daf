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

// Some pages defer the application's files (gateway/src/site/index-page.ts). Loads them after the page's
// image is painted.
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
  // also waits for the first paint, because a busy machine shows a loaded image late
  const seen = PerformanceObserver.supportedEntryTypes?.includes('paint')
    ? new Promise((go) => new PerformanceObserver(go).observe({ type: 'paint', buffered: true }))
    : undefined;
  void Promise.all([arrived, seen]).then(() =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start))),
  );
});
