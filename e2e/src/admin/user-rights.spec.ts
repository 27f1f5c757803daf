import type { Page } from 'playwright-core';
import { rowWith, toastSaying } from '../support/administrator.js';
import { ApiClient } from '../support/api-client.js';
import { query } from '../support/database.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { asAdministrator } from './as-administrator.js';
import { UsersView } from './users-view.js';

describe('The rights and the password of a user', () => {
  const { url, databaseUrl } = sharedStack();
  let page: Page;
  let view: UsersView;
  asAdministrator(async (opened) => {
    page = opened;
    view = new UsersView(page);
    // A browser without a mail program does nothing with a draft: the story keeps it.
    await page.addInitScript(`{
      window.drafts = [];
      const { click } = HTMLAnchorElement.prototype;
      HTMLAnchorElement.prototype.click = function () {
        if (this.href.startsWith('mailto:')) window.drafts.push(this.href);
        else click.call(this);
      };
    }`);
  });

  it('makes an administrator and takes it back', async () => {
    const { firstName, lastName, id } = await view.openSomeone('Rolf');
    await view.actAfterAsking('Rolf', 'Make Admin');
    await toastSaying(page, `${firstName} ${lastName} promoted to admin successfully.`);
    await rowWith(page, 'Rolf').getByText('Admin', { exact: true }).waitFor();
    await view.actAfterAsking('Rolf', 'Remove Admin');
    await toastSaying(page, `${firstName} ${lastName} removed from admin successfully.`);
    const [row] = await query<{ is_admin: boolean }>(
      databaseUrl,
      'SELECT is_admin FROM auth.users WHERE id = $1',
      [id],
    );
    expect(row?.is_admin).toBe(false);
  });

  it('resets a password and drafts the mail that tells it', async () => {
    const { email } = await view.openSomeone('Reto');
    await view.actAfterAsking('Reto', 'Reset Email');
    await toastSaying(page, 'Password reset successfully. Email draft opened.');
    const [draft = ''] = await page.evaluate<string[]>('window.drafts');
    expect(draft.startsWith(`mailto:${email}?subject=`)).toBe(true);
    expect(draft).not.toMatch(/[\s"<>]/);
    const password = decodeURIComponent(draft).match(/^[A-Za-z0-9]{8}$/m)?.[0] ?? '';
    await new ApiClient(url).signIn({ email, password });
  });

  it('sends a reset code', async () => {
    const { email } = await view.openSomeone('Cody');
    await view.choose('Cody', 'Send reset code');
    await toastSaying(page, `Reset code sent to ${email}`);
    await mailTo(email, /code/i);
  });
});
