import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'virtual:component-styles.css';
import './app/theme/fonts.css';
import './app/theme/global.css';
import { Application } from './app/application';
import { firstScreen } from './app/router';
import { prepareTheme } from './app/theme/antd-theme';
import { firstScheme, prefersReducedMotion, textScale } from './app/theme/use-scheme';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

const pause = () => new Promise((resolve) => setTimeout(resolve));

/** Starts in small tasks, to keep the page responsive. Keeps the first paint until the screen is loaded. */
async function start(element: Element): Promise<void> {
  await pause();
  const screen = firstScreen(window.location.pathname);
  await pause();
  prepareTheme(firstScheme(), prefersReducedMotion(), textScale());
  await pause();
  await screen;
  startTransition(() =>
    createRoot(element).render(
      <StrictMode>
        <Application />
      </StrictMode>,
    ),
  );
}
void start(root);
new Worker(new URL('./app/first-formatter.worker.ts', import.meta.url));
