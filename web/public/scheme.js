// Before anything is painted: the colour scheme that was chosen here (src/app/theme/use-scheme.ts), else the system's.
try {
  const chosen = localStorage.getItem('color-scheme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden: then the system's.
}

/** Milliseconds that the application waits at most for a picture that is on its way. */
const LONGEST = 1500;

// Where the page holds the application's files back (gateway/src/site/index-page.ts), they are asked for once its picture is painted.
addEventListener('DOMContentLoaded', () => {
  const files = document.querySelector('template#start');
  if (files === null) return;
  // a second time finds it empty
  const start = () => document.head.append(files.content);
  // a page in the background paints nothing
  if (document.hidden) return start();
  setTimeout(start, LONGEST);
  const picture = document.querySelector('#root img[fetchpriority]');
  const arrived =
    picture === null || picture.complete
      ? undefined
      : new Promise((go) => ['load', 'error'].forEach((outcome) => picture.addEventListener(outcome, go)));
  // on a busy machine a frame is seen long after it was drawn
  const seen = PerformanceObserver.supportedEntryTypes?.includes('paint')
    ? new Promise((go) => new PerformanceObserver(go).observe({ type: 'paint', buffered: true }))
    : undefined;
  void Promise.all([arrived, seen]).then(() =>
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(start))),
  );
});
