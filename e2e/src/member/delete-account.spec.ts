import { accessibilityFaults } from '../support/accessibility.js';
import { signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { submitPassword } from '../support/second-factor.js';
import { sharedStack } from '../support/shared-stack.js';

describe('A member', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests({ expected: /403|401/ });

  it.each([
    ['a desktop', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('deletes their account and restores it, on %s', async (_, viewport) => {
    const { person } = await signedUp(url);
    const { page } = await visitAs(person, { viewport });
    await page.goto('/profile/privacy');
    await page.getByRole('button', { name: 'Delete my account', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You can sign in within seven days').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Delete my account', exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === '/');

    await page.goto('/?signin=1');
    await submitPassword(page, person);
    await dialog.getByText('This account is closed and will be deleted on').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Restore my account', exact: true }).click();
    await page.waitForURL(({ search }) => !search.includes('signin'));
    await page.goto('/profile');
    await page.getByText(person.email).first().waitFor();
  });
});
