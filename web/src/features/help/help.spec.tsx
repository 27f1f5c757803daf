import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Handbook, HANDBOOK_LANGUAGES, handbookFile, HELP } from '@meetmark/contracts/handbook';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { Route, Routes } from 'react-router-dom';
import { readHandbook } from '../../../scripts/handbook';
import { fakeApi } from '../../testing/fake-api';
import { pressForPart, renderScreen } from '../../testing/render-screen';
import { loadHandbookScreen } from './handbook-screen';
import { HelpButton } from './help-button';
import { pieces, searchHandbook, soughtIn } from './search';

const FOLDER = fileURLToPath(new URL('../../../../docs/handbook', import.meta.url));
let handbooks: Record<'en' | 'de', Handbook>;
beforeAll(async () => {
  const [en, de] = await Promise.all(HANDBOOK_LANGUAGES.map((language) => readHandbook(FOLDER, language)));
  handbooks = { en: en!, de: de! };
});
beforeEach(() => {
  document.documentElement.lang = 'en-US';
  fakeApi(
    Object.fromEntries(
      HANDBOOK_LANGUAGES.map((language) => [
        `GET ${handbookFile(language)}`,
        () => ({ body: handbooks[language] }),
      ]),
    ),
  );
});

describe('The search of the handbook', () => {
  const foundFor = (question: string, language: 'en' | 'de' = 'en') =>
    searchHandbook(handbooks[language], soughtIn(question, language)).map(({ section }) => section.id);

  it.each([
    ['How do I give up my place?', 'give-your-place-up'],
    ['give up my place', 'give-your-place-up'],
    ['calendar', 'keep-your-calendar-up-to-date'],
    ['forgot password', 'sign-in'],
    ['sponsors', 'thank-sponsors'],
    ['waitlist', undefined],
  ])('answers %s first with %s', (question, id) => {
    expect(foundFor(question)[0]).toBe(id);
  });

  it.each([
    ['Wie gebe ich meinen Platz zurück?', 'give-your-place-up'],
    ['Platz zurueckgeben', 'give-your-place-up'],
    ['zuruckgeben', 'give-your-place-up'],
    ['gäste', 'let-people-check-in'],
    ['Gaeste kümmern', 'look-after-the-guests'],
    ['überbl', 'see-how-it-is-going'],
  ])('in German: %s, with umlauts, without, and by the beginning of a word', (question, id) => {
    expect(foundFor(question, 'de')).toContain(id);
  });

  it('asks for all words that say something, and for the most of them where none has all', () => {
    expect(foundFor('recovery codes paper')).toEqual(['protect-your-account']);
    expect(foundFor('recovery codes xyzzy').length).toBeGreaterThan(0);
    expect(foundFor('xyzzy')).toEqual([]);
    expect(soughtIn('How do I?', 'en')).toEqual(['how', 'do']);
    expect(soughtIn('?!', 'en')).toEqual([]);
  });

  it('marks the words that it found, and keeps the text', () => {
    expect(pieces('Gäste, die warten', soughtIn('gaeste wart', 'de'))).toEqual([
      { words: 'Gäste', isHit: true },
      { words: ', die ', isHit: false },
      { words: 'warten', isHit: true },
    ]);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, question) => {
        const shown = pieces(text, soughtIn(question, 'de'));
        expect(shown.map(({ words }) => words).join('')).toBe(text);
      }),
    );
  });
});

describe('The handbook', () => {
  const open = async (path = '/help') => {
    const { default: Screen } = await loadHandbookScreen();
    return renderScreen(
      <Routes>
        <Route path="/help/:part?" element={<Screen />} />
      </Routes>,
      { user: null, path },
    );
  };

  it('lists its contents, and leads to a page and its sections', async () => {
    await open();
    screen.getByRole('heading', { level: 1, name: 'Handbook' });
    const section = screen.getByRole('link', { name: 'Give your place up' });
    expect(section.getAttribute('href')).toBe('/help/members#give-your-place-up');
    await userEvent.click(section);
    screen.getByRole('heading', { level: 1, name: 'For members' });
    const heading = screen.getByRole('heading', { level: 2, name: 'Give your place up' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    const contents = within(screen.getByRole('navigation', { name: 'Contents' }));
    expect(contents.getByRole('link', { name: 'For members' }).getAttribute('aria-current')).toBe('page');
  });

  it('finds from each of its pages what is asked, says how much it is, and leads there', async () => {
    await open('/help/admins');
    await userEvent.type(screen.getByRole('searchbox', { name: 'Search the handbook' }), 'give up my place');
    const result = await screen.findByRole('link', { name: 'Give your place up' });
    expect(screen.getByRole('status').textContent).toMatch(/^\d+ sections? found$/);
    expect(
      within(result)
        .getAllByText(/./, { selector: 'mark' })
        .map((mark) => mark.textContent),
    ).toEqual(['Give', 'place', 'up']);
    await userEvent.click(result);
    expect(window.location.pathname + window.location.hash).toBe('/help/members#give-your-place-up');
    await screen.findByRole('heading', { level: 1, name: 'For members' });
    expect((screen.getByRole('searchbox') as HTMLInputElement).value).toBe('');
  });

  it('says that it found nothing', async () => {
    await open('/help?q=xyzzy');
    screen.getByText('Try another word, or fewer of them.');
    expect(screen.getByRole('status').textContent).toBe('Nothing found');
  });

  it('says to a reader of another language that it is in English', async () => {
    await open();
    expect(screen.queryByText('The handbook is in English.')).toBeNull();
    document.documentElement.lang = 'fr';
    await open();
    screen.getByText('The handbook is in English.');
  });
});

describe('The help of a panel', () => {
  /** What is done from several screens, or from a menu: no one panel is about it. */
  const WITHOUT_PANEL = [
    'organisers#repeat-an-event',
    'organisers#let-several-people-run-it',
    'organisers#answer-questions',
    'admins#begin',
    'admins#protect-your-account',
    'admins#help-somebody-who-cannot-sign-in',
    'admins#delete-an-account',
  ];

  it('explains each section of organisers and admins whose screen there is, on that screen', () => {
    const sections = handbooks.en.pages
      .filter(({ part }) => part !== 'members')
      .flatMap(({ part, sections }) => sections.map(({ id }) => `${part}#${id}`));
    const explained = new Set<string>(Object.values(HELP));
    expect(sections.filter((section) => !explained.has(section))).toEqual(WITHOUT_PANEL);
    const src = path.join(FOLDER, '../../web/src');
    const screens = fs
      .readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.endsWith('.spec.tsx'))
      .map((file) => fs.readFileSync(path.join(src, file), 'utf8'))
      .join('\n');
    expect(
      Object.keys(HELP).filter((panel) => !RegExp(`\\b(?:panel|help)="${panel}"`).test(screens)),
    ).toEqual([]);
  });

  it('shows its section beside the page, and gives the focus back', async () => {
    renderScreen(<HelpButton panel="messages" title="Messages" />, { user: null });
    const button = screen.getByRole('button', { name: 'Help: Messages' });
    expect(button.getAttribute('aria-haspopup')).toBe('dialog');
    button.focus();
    await pressForPart(button);
    const sheet = within(await screen.findByRole('dialog', { name: 'Help: Messages' }));
    const heading = sheet.getByRole('heading', { name: 'Message who comes, or who waits' });
    await waitFor(() => expect(document.activeElement).toBe(heading));
    const link = sheet.getByRole('link', { name: /^Open in the handbook/ });
    expect(link.getAttribute('href')).toBe('/help/organisers#message-who-comes-or-who-waits');
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});
