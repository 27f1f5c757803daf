import { administratorClient } from '../support/administrator.js';
import { signedUp } from '../support/api-client.js';
import { browserForTests } from '../support/browser-for-tests.js';
import { Keyboard } from '../support/keyboard.js';
import { sharedStack } from '../support/shared-stack.js';
import { uniqueTitle } from './events-view.js';

describe('An organiser who reads German and uses only the keyboard', () => {
  const { url } = sharedStack();
  const { visitAs } = browserForTests();

  it('imports a calendar file twice and undoes the import', async () => {
    const { client, person, user } = await signedUp(url);
    await client.put('/api/user/profile', { locale: 'de' });
    const administrator = await administratorClient();
    await administrator.expect(200, 'PUT', `/api/admin/users/${user.id}`, { role: 'organiser' });
    const { page } = await visitAs(person, { locale: 'de' });
    const keyboard = new Keyboard(page);
    const dialog = page.getByRole('dialog');
    const button = (name: string) => dialog.getByRole('button', { name, exact: true }).last();
    const says = (text: string) => dialog.getByText(text, { exact: true }).waitFor();

    const title = uniqueTitle('Lesekreis');
    const events = [2020, new Date().getFullYear() + 1].flatMap((year) => [
      ...['BEGIN:VEVENT', `UID:${title} ${year}`, `SUMMARY:${title} ${year}`],
      ...[`DTSTART:${year}0304T180000Z`, `DTEND:${year}0304T200000Z`, 'END:VEVENT'],
    ]);
    const calendar = ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR'].join('\r\n');
    const name = `${title}.ics`;
    const choose = async () => {
      const chooser = page.waitForEvent('filechooser');
      await keyboard.press(button('Datei wählen'));
      await (await chooser).setFiles({ name, mimeType: 'text/calendar', buffer: Buffer.from(calendar) });
    };
    const close = async () => {
      await keyboard.press(button('Schließen'));
      await dialog.waitFor({ state: 'detached' });
      await keyboard.isAt(page.getByRole('button', { name: 'Importieren' }));
    };

    await page.goto(`/admin/events?time=all&q=${encodeURIComponent(title)}`);
    await keyboard.press(page.getByRole('button', { name: 'Importieren' }));
    await choose();
    await says('2 neu, 0 geändert, 0 unverändert, 0 mit Problemen');
    await keyboard.press(button('2 Veranstaltungen importieren'));
    await says('Importiert: 2 angelegt, 0 geändert');
    await close();

    await page.keyboard.press('Enter');
    await choose();
    await says('0 neu, 0 geändert, 2 unverändert, 0 mit Problemen');
    await keyboard.press(button('Andere Datei wählen'));
    await keyboard.press(button(name));
    await keyboard.press(button('Import rückgängig machen'));
    await says('2 rückgängig gemacht, 0 behalten, weil sie bearbeitet wurden oder Gäste haben');
    await close();
    await page.getByText('Keine Veranstaltungen gefunden.').waitFor();
  });
});
