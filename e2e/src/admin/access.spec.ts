import { browserForTests } from '../support/browser-for-tests.js';

describe('The admin area', () => {
  const { visitAsAdministrator } = browserForTests();

  it('lets administrators open each screen and return to the site', async () => {
    const { page } = await visitAsAdministrator();
    await page.goto('/');
    await page.getByRole('link', { name: 'Admin Panel' }).click();
    const shows = (heading: string) =>
      page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
    await shows('Admin Dashboard');
    const navigation = page.getByRole('navigation', { name: 'Administration' });
    for (const [link, heading] of [
      ['Users', 'User Management'],
      ['Events', 'Event Management'],
      ['Dashboard', 'Admin Dashboard'],
    ] as const) {
      await navigation.getByRole('link', { name: link, exact: true }).click();
      await shows(heading);
    }
    for (const name of ['Audit', 'System']) {
      await navigation.getByRole('button', { name: /^More/ }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
      await shows(name);
    }
    await page.getByRole('link', { name: 'User View' }).click();
    await shows('Browse Events');
  });
});
