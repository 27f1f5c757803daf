// npm run screenshots: builds what has changed, then takes a picture of every screen and every mail into screenshots/. Those of the README
// and the handbook are made anew.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { command } from './bootstrap/command.mjs';

const SHOWN = {
  'docs/pictures': ['landing-1440-light', 'event-page-1440-dark', 'dashboard-390-light', 'browse-390-dark'],
  'docs/handbook/pictures': [
    ...['event-page-390-light', 'own-code-390-light', 'door-in-390-light', 'profile-1440-light'],
    ...['event-form-description-1440-light', 'workspace-1440-light', 'workspace-guests-1440-light'],
    ...['message-form-1440-light', 'admin-users-1440-light', 'admin-settings-1440-light'],
    'admin-topics-1440-light',
  ],
};

command(async (root) => {
  const { build } = await import('./bootstrap/build.mjs');
  const { runJest } = await import('./bootstrap/run.mjs');
  await build(root);
  const made = path.join(root, 'screenshots');
  process.exitCode = await runJest(
    root,
    ['--selectProjects', 'pictures', '--runInBand', ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, SCREENSHOTS: made } },
  );
  const { default: sharp } = await import('sharp');
  for (const [folder, names] of Object.entries(SHOWN))
    for (const name of names) {
      const picture = path.join(made, `${name}.png`);
      if (existsSync(picture))
        await sharp(picture)
          .webp({ quality: 80 })
          .toFile(path.join(root, folder, `${name}.webp`));
    }
});
