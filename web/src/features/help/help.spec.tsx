import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Handbook, HANDBOOK_LANGUAGES, handbookFile, HELP } from '@meetmark/contracts/handbook';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { readHandbook } from '../../../scripts/handbook';
import { atRoute } from '../../testing/actions';
import { fakeApi } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { loadHandbookScreen } from './handbook-screen';
import { HelpButton } from './help-button';

const FOLDER = fileURLToPath(new URL('../../../../docs/handbook', import.meta.url));
let handbooks: Record<'en' | 'de', Handbook>;
beforeAll(async () => {
  const [en, de] = await Promise.all(HANDBOOK_LANGUAGES.map((language) => readHandbook(FOLDER, language)));
  handbooks = { en: en!, de: de! };
});
beforeEach(() => {
  document.documentElement.lang = 'en-US';
  const answers = HANDBOOK_LANGUAGES.map((language) => [
    `GET ${handbookFile(language)}`,
    () => ({ body: handbooks[language] }),
  ]);
  fakeApi(Object.fromEntries(answers));
});

describe('The handbook', () => {
  const open = async (path = '/help') => {
    const { default: Screen } = await loadHandbookScreen();
    return renderScreen(atRoute('/help/:part?', <Screen />), { user: null, path });
  };

  it('lists its contents and links to pages and sections', async () => {
    await open();
    screen.getByRole('heading', { level: 1, name: 'Handbook' });
    const section = screen.getByRole('link', { name: 'Cancel your registration' });
    expect(section.getAttribute('href')).toBe('/help/members#cancel-your-registration');
    await userEvent.click(section);
    screen.getByRole('heading', { level: 1, name: 'For members' });
    screen.getByRole('heading', { level: 2, name: 'Cancel your registration' });
    const contents = within(screen.getByRole('navigation', { name: 'Contents' }));
    expect(contents.getByRole('link', { name: 'For members' }).getAttribute('aria-current')).toBe('page');
  });

  it('says “The handbook is in English.” when there is no translation', async () => {
    await open();
    expect(screen.queryByText('The handbook is in English.')).toBeNull();
    document.documentElement.lang = 'fr';
    await open();
    screen.getByText('The handbook is in English.');
  });
});

describe('The help button of a panel', () => {
  it('exists for every explained panel, and leads to a section of the handbook', () => {
    const sections = handbooks.en.pages.flatMap(({ part, sections: all }) =>
      all.map(({ id }) => `${part}#${id}`),
    );
    expect(Object.values(HELP).filter((section) => !sections.includes(section))).toEqual([]);
    const src = path.join(FOLDER, '../../web/src');
    const screens = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx'))
      .map((file) => fs.readFileSync(path.join(src, file), 'utf8'))
      .join('\n');
    const unused = Object.keys(HELP).filter((panel) => !RegExp(`\\b(?:panel|help)="${panel}"`).test(screens));
    expect(unused).toEqual([]);
  });

  it('opens its handbook section and returns the focus when closed', async () => {
    renderScreen(<HelpButton panel="messages" title="Messages" />, { user: null });
    const button = screen.getByRole('button', { name: 'Help: Messages' });
    expect(button.getAttribute('aria-haspopup')).toBe('dialog');
    button.focus();
    await pressForPart(button);
    const sheet = within(await screen.findByRole('dialog', { name: 'Help: Messages' }));
    const heading = sheet.getByRole('heading', { name: 'Message your guests' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    const link = sheet.getByRole('link', { name: /^Open in the handbook/ });
    expect(link.getAttribute('href')).toBe('/help/organisers#message-your-guests');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});
