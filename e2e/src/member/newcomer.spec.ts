import type { User } from '@meetmark/contracts';
import type { Browser } from 'playwright-core';
import { administratorClient } from '../support/administrator.js';
import { ApiClient, createdEvent, newcomer } from '../support/api-client.js';
import { keyboardHasPlace, openBrowser, visit } from '../support/browser.js';
import { codeIn, mailTo, readResetCode } from '../support/mailbox.js';
import { sharedStack } from '../support/shared-stack.js';
import { submitSignUp } from '../support/sign-up-form.js';

// This story involves every process and server. `npm run test:containers` also runs it in containers.
describe('A newcomer', () => {
  const { url } = sharedStack();
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('signs up, registers, gets emails and resets a forgotten password', async () => {
    const event = await createdEvent(await administratorClient(), {
      title: `Analytics evening ${Date.now()}`,
    });
    const person = newcomer();

    const { page, errors, context } = await visit(browser, url);
    await page.goto('/');
    await submitSignUp(page, person);
    await page.getByRole('navigation').getByRole('link', { name: 'My Events' }).waitFor();
    await keyboardHasPlace(page);

    await page.getByRole('searchbox').fill(event.title);
    const card = page.getByRole('article').filter({ hasText: event.title });
    await card.getByRole('button', { name: `Register: ${event.title}` }).click();
    await page.getByText('Successfully registered for event').waitFor();
    // Until the email address is verified, Meetmark sends it only the code.
    const verification = await mailTo(person.email, /Confirm your email address/);
    await page.goto(/http:\S+\/confirm#\S+/.exec(verification.text)![0]);
    await page.getByRole('button', { name: 'Confirm my email' }).click();
    await page.getByText('Your email address is confirmed').waitFor();
    const { text } = await mailTo(person.email, /registered/i);
    expect(text).toContain(event.title);
    expect(text).toMatch(/http:\/\/localhost:\d+\//);

    await page.getByRole('button', { name: /^Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('button', { name: 'Email Administrator' }).click();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Email me a reset code' }).click();
    await page.waitForURL('/reset-password');
    await page.getByLabel('Reset Code').fill(await readResetCode(person.email));
    await page.getByLabel('New Password').fill('battery staple');
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await page.getByText('Password Reset Successful').waitFor();
    await page.waitForURL('/');

    const again = new ApiClient(url);
    await expect(again.signIn(person)).rejects.toThrow(/401/);
    await again.signIn({ email: person.email, password: 'battery staple' });
    expect(errors).toEqual([]);
    await context.close();
  });

  it('sees German pages and gets German emails after choosing German', async () => {
    const event = await createdEvent(await administratorClient());
    const person = newcomer();
    const { page, errors, context } = await visit(browser, url);
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    await page.getByRole('tab', { name: 'Registrieren' }).click();
    await page.getByLabel('Vorname').fill(person.firstName);
    await page.getByLabel('Nachname').fill(person.lastName);
    const panel = page.locator('form', { has: page.getByLabel('Passwort bestätigen') });
    await panel.getByLabel('E-Mail-Adresse').fill(person.email);
    await panel.getByLabel('Passwort', { exact: true }).fill(person.password);
    await panel.getByLabel('Passwort bestätigen').fill(person.password);
    await panel.getByRole('button', { name: 'Konto anlegen' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Meine Veranstaltungen' }).waitFor();

    const verification = await mailTo(person.email, /^Bestätigen Sie Ihre E-Mail-Adresse/);
    expect(verification.html).toContain('<html lang="de">');
    await page.goto(/http:\S+\/confirm#\S+/.exec(verification.text)![0]);
    await page.getByRole('button', { name: 'Adresse bestätigen' }).click();
    await page.getByText('Ihre E-Mail-Adresse ist bestätigt').waitFor();
    expect((await mailTo(person.email, /^Willkommen/)).html).toContain('<html lang="de">');
    await page.goto(`/events/${event.id}`);
    await page.getByRole('main').getByRole('button', { name: 'Teilnehmen', exact: true }).first().click();
    await page.getByText(`Sie sind dabei, ${person.firstName}`).waitFor();
    expect((await mailTo(person.email, /^Sie sind dabei/)).html).toContain('<html lang="de">');

    await page.goto('/profile');
    await page.getByRole('button', { name: 'Vielleicht später' }).click();
    await page.getByRole('link', { name: 'Benachrichtigungen' }).click();
    expect(await page.getByRole('combobox', { name: 'Sprache' }).inputValue()).toBe('de');
    await page.getByRole('button', { name: /^Kontomenü/ }).click();
    await page.getByRole('menuitem', { name: 'Hilfe' }).click();
    await page.getByRole('heading', { level: 1, name: 'Handbuch' }).waitFor();
    await page.getByRole('link', { name: 'Für Mitglieder' }).waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it('gets pages, emails and an account in the browser’s language', async () => {
    const event = await createdEvent(await administratorClient());
    const person = newcomer();
    const { page, errors, context } = await visit(browser, url, { locale: 'fr-CA' });
    await page.goto(`/events/${event.id}`);
    expect(await page.locator('html').getAttribute('lang')).toBe('fr');
    const main = page.getByRole('main');
    await main.getByLabel('E-mail', { exact: true }).first().fill(person.email);
    await main.getByLabel('Prénom', { exact: true }).first().fill(person.firstName);
    await main.getByLabel('Nom', { exact: true }).first().fill(person.lastName);
    await main.getByRole('button', { name: 'S’inscrire', exact: true }).first().click();
    const mail = await mailTo(person.email, /^Votre code d’inscription/);
    expect(mail.html).toContain('<html lang="fr">');
    await main.getByLabel('Code à 6 chiffres').fill(codeIn(mail));
    await page.getByText(`C’est réservé, ${person.firstName}`).waitFor();
    expect((await mailTo(person.email, /^Vous êtes inscrit/)).html).toContain('<html lang="fr">');
    const { locale } = (await (await context.request.get('/api/user')).json()) as User;
    expect(locale).toBe('fr');
    // The page didn't need to reload, because it already had the account's language.
    expect(await page.locator('html').getAttribute('data-asked')).toBe('');
    expect(errors).toEqual([]);
    await context.close();
  });

  it('registers in German by emailed code without signing up', async () => {
    const event = await createdEvent(await administratorClient());
    const person = newcomer();
    const { page, context } = await visit(browser, url);
    await context.addCookies([{ name: 'locale', value: 'de', url }]);
    await page.goto(`/events/${event.id}`);
    const main = page.getByRole('main');
    await main.getByLabel('E-Mail-Adresse', { exact: true }).first().fill(person.email);
    await main.getByLabel('Vorname', { exact: true }).first().fill(person.firstName);
    await main.getByLabel('Nachname', { exact: true }).first().fill(person.lastName);
    await main.getByRole('button', { name: 'Teilnehmen', exact: true }).first().click();
    const mail = await mailTo(person.email, /^Ihr Code zur Anmeldung/);
    expect(mail.html).toContain('<html lang="de">');
    await main.getByLabel('Sechsstelliger Code').fill(codeIn(mail));
    await page.getByText(`Sie sind dabei, ${person.firstName}`).waitFor();
    expect((await mailTo(person.email, /^Sie sind dabei/)).html).toContain('<html lang="de">');
    const { locale } = (await (await context.request.get('/api/user')).json()) as User;
    expect(locale).toBe('de');
    await context.close();
  });
});
