import { startTransition, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/theme/fonts.css';
import './app/theme/global.css';
import { Application } from './app/application';
import { firstScreen } from './app/router';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// What was painted first stays until the screen stands. In a transition React makes it in small pieces: a tap in between is
// answered at once.
const start = () =>
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Application />
      </StrictMode>,
    ),
  );
// A screen that does not come is the router's to report.
firstScreen(window.location.pathname).then(start, start);
