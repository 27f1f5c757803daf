import { accessibilityFaults } from '../support/accessibility.js';
import { signedUp } from '../support/api-client.js';
import { PHONE, readDownload } from '../support/browser.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { Keyboard } from '../support/keyboard.js';
import { mailTo } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A member who reads German and uses only the keyboard', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests({ expected: /403|401/ });

  it('downloads their data, deletes the account and restores it, on a phone', async () => {
    const { client, person } = await signedUp(url);
    await client.put('/api/user/profile', { locale: 'de' });
    const { page } = await visitAs(person, { viewport: PHONE, locale: 'de' });
    const keyboard = new Keyboard(page);
    const dialog = page.getByRole('dialog');

    await page.goto('/profile/privacy');
    await keyboard.press(page.getByRole('button', { name: 'Download vorbereiten' }));
    await page.getByText(/^Wir bereiten Ihren Download vor/).waitFor();
    await keyboard.isAt(page.getByRole('heading', { name: 'Meine Daten herunterladen' }));
    await mailTo(person.email, /^Ihre Daten bei .* sind bereit$/);
    await page.reload();
    const started = page.waitForEvent('download');
    await keyboard.press(page.getByRole('link', { name: 'ZIP-Datei herunterladen' }));
    expect((await readDownload(await started)).subarray(0, 2).toString()).toBe('PK');

    await keyboard.press(page.getByRole('button', { name: 'Mein Konto löschen', exact: true }));
    await dialog.getByText('Sieben Tage lang können Sie sich einloggen').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keyboard.press(dialog.getByRole('button', { name: 'Mein Konto löschen' }));
    await page.waitForURL(({ pathname }) => pathname === '/');

    await page.goto('/?signin=1');
    const signIn = page.getByRole('tabpanel', { name: 'Einloggen' });
    await keyboard.isAt(signIn.getByLabel('E-Mail-Adresse'));
    await page.keyboard.type(person.email);
    await keyboard.type(signIn.getByLabel('Passwort', { exact: true }), person.password);
    await page.keyboard.press('Enter');
    await dialog.getByText('Dieses Konto ist geschlossen und wird am').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await keyboard.press(dialog.getByRole('button', { name: 'Mein Konto wiederherstellen' }));
    await page.waitForURL(({ search }) => !search.includes('signin'));
    await page.goto('/profile');
    await page.getByText(person.email).first().waitFor();
  });
});
