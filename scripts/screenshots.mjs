// npm run screenshots: rebuilds changed packages, then saves images of screens and emails in screenshots/.
// Emails in all languages go to screenshots/mails/. Also updates the images of the README and the handbook.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from './support/command.mjs';

const SHOWN = {
  'docs/pictures': ['landing-1440-light'],
  'docs/handbook/pictures': [
    ...[
      'event-page-390-light',
      'own-code-390-light',
      'door-in-390-light',
      'profile-notifications-1440-light',
    ],
    ...['event-form-description-1440-light', 'workspace-1440-light', 'workspace-guests-1440-light'],
    ...['message-form-1440-light', 'admin-users-1440-light', 'admin-settings-1440-light'],
    'admin-topics-1440-light',
  ],
};

async function takeScreenshots(folder) {
  const { openBrowser } = await import('@meetmark/testing/browser/open-browser');
  const browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, offline: true });
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.html'))) {
    await page.goto(String(pathToFileURL(path.join(folder, file))));
    await page.screenshot({ path: path.join(folder, file.replace(/html$/, 'png')), fullPage: true });
  }
  await browser.close();
}

command(async (root) => {
  const { build } = await import('./support/build.mjs');
  const { runJest } = await import('./support/run.mjs');
  await build(root);
  const made = path.join(root, 'screenshots');
  process.exitCode = await runJest(
    root,
    ['--selectProjects', 'pictures', '--runInBand', ...process.argv.slice(2)],
    { stdio: 'inherit', env: { ...process.env, SCREENSHOTS: made } },
  );
  const mails = path.join(made, 'mails');
  mkdirSync(mails, { recursive: true });
  process.exitCode ||= await runJest(root, ['--runInBand', 'services/worker/src/mail/templates.spec'], {
    stdio: 'inherit',
    env: { ...process.env, MAILS: mails },
  });
  await takeScreenshots(mails);
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
