import type { LegalPage } from '@meetmark/contracts';
import { screen } from '@testing-library/react';
import { renderScreen } from '../../testing/render-screen';
import LegalNote from './legal-note';

const note = (legalPages: LegalPage[]) => {
  renderScreen(<LegalNote to="signUp" className="note" />, { user: null, community: { legalPages } });
  const links = screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  return { text: document.querySelector('.note')?.textContent ?? null, links };
};

describe('The legal note at sign-up', () => {
  const terms = ['Terms of Service', '/terms'];
  const privacy = ['Privacy Policy', '/privacy'];
  it.each<[LegalPage[], text: string | null, links: string[][]]>([
    [['terms', 'privacy'], 'agree to our Terms of Service and Privacy Policy.', [terms, privacy]],
    [['privacy'], 'agree to our Privacy Policy.', [privacy]],
    [[], null, []],
  ])('links to the legal pages %j', (pages, text, links) => {
    expect(note(pages)).toEqual({ text: text && `By creating an account, you ${text}`, links });
  });
});
