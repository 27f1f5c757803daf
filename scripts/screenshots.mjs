// npm run screenshots: builds what has changed, then takes a picture of every screen and every mail into screenshots/, of every mail in every
// language into screenshots/mails/. Those of the README and the handbook are made anew.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
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

/** A picture beside each page of the folder, as a mail reader on a phone shows it that loads no pictures. */
async function picturesOf(folder) {
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
  const { build } = await import('./bootstrap/build.mjs');
  const { runJest } = await import('./bootstrap/run.mjs');
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
  await picturesOf(mails);
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
