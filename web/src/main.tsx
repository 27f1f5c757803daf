import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './app/theme/fonts.css';
import './app/theme/global.css';
import { Application } from './app/application';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Application />
  </StrictMode>,
);
