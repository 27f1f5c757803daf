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
  it('links to the terms and the privacy policy when both exist', () => {
    expect(note(['terms', 'privacy'])).toEqual({
      text: 'By creating an account, you agree to our Terms of Service and Privacy Policy.',
      links: [
        ['Terms of Service', '/terms'],
        ['Privacy Policy', '/privacy'],
      ],
    });
  });

  it('links to the only legal page that exists', () => {
    expect(note(['privacy'])).toEqual({
      text: 'By creating an account, you agree to our Privacy Policy.',
      links: [['Privacy Policy', '/privacy']],
    });
  });

  it('is empty when there are no legal pages', () => {
    expect(note([])).toEqual({ text: null, links: [] });
  });
});
