import { until } from '@meetmark/testing';
import { ApiClient, newcomer } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { sharedStack } from '../support/shared-stack.js';

describe('New terms', () => {
  const { url, administrator } = sharedStack();
  const { visit } = browserForTests();

  it('are asked for by an admin and accepted by a member at the next sign-in', async () => {
    const admin = new ApiClient(url);
    await admin.signIn(administrator);
    const person = newcomer('Vera', 'Member');
    const member = new ApiClient(url);
    await member.expect(201, 'POST', '/api/register', person);
    const change = { terms: '## Be kind\n\nAnd fair.', termsRequired: true };
    await admin.expect(200, 'PUT', '/api/admin/settings', change);
    const isAsked = async () => 'consentNeeded' in (await member.expect<object>(200, 'GET', '/api/user'));
    await until('the member is asked', 60_000, isAsked);

    const { page } = await visit();
    await page.goto('/api/login?returnTo=%2Fmy-events');
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByRole('heading', { name: 'Please accept before you continue' }).waitFor();
    const popup = page.waitForEvent('popup');
    await page.getByRole('main').getByRole('link', { name: 'Terms of Service' }).click();
    await (await popup).getByRole('heading', { name: 'Be kind' }).waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { name: 'My Events' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'My Events' }).waitFor();
  });
});
