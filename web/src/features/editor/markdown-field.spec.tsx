import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderScreen } from '../../testing/render-screen';
import { MarkdownField } from './markdown-field';

function Form() {
  const [value, setValue] = useState('As it was');
  return (
    <>
      <MarkdownField label="Message" value={value} onChange={setValue} />
      <button>Next</button>
    </>
  );
}

const field = () => screen.getByRole('textbox', { name: 'Message' });
/** The editor's file is there, and what waited for it has run. */
const arrival = async () => {
  await import('./rich-text');
  await new Promise((resolve) => setTimeout(resolve));
};

describe('A text with its looks', () => {
  beforeAll(
    () =>
      void Object.defineProperty(HTMLElement.prototype, 'isContentEditable', {
        value: false,
        configurable: true,
      }),
  );
  afterAll(() => void Reflect.deleteProperty(HTMLElement.prototype, 'isContentEditable'));

  it('does not get its editor while somebody types it as Markdown', async () => {
    renderScreen(<Form />, { user: null });
    const typed = field();
    expect(typed).toBeInstanceOf(HTMLTextAreaElement);
    await act(async () => {
      await arrival();
      // the editor is about to be drawn
      typed.focus();
    });
    expect(field()).toBe(typed);
    await act(async () => {
      screen.getByRole('button', { name: 'Next' }).focus();
      await arrival();
    });
    expect(field()).not.toBeInstanceOf(HTMLTextAreaElement);
    expect(field().textContent).toBe('As it was');
  });
});
