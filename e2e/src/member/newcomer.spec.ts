import { administratorClient } from '../support/administrator.js';
import { createdEvent, newcomer } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { mailTo } from '../support/mailbox.js';

describe('A newcomer', () => {
  const { visit } = browserForTests();

  it('sees German pages and gets German emails after choosing German', async () => {
    const event = await createdEvent(await administratorClient());
    const person = newcomer();
    const { page } = await visit();
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
  });
});
