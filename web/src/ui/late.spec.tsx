import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { renderScreen } from '../testing/render-screen';
import { late } from './late';

describe('A dialog that is loaded when it is opened', () => {
  it('says that it could not be had and leaves the page as it is, where it can be opened again', async () => {
    let offline = true;
    const Part = late<{ close: () => void }>(() =>
      offline
        ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
        : Promise.resolve({ default: () => <p>Here it is</p> }),
    );
    function Opener() {
      const [open, setOpen] = useState(false);
      return (
        <>
          <button onClick={() => setOpen(true)}>Open</button>
          {open && <Part close={() => setOpen(false)} />}
        </>
      );
    }
    const { toasts } = renderScreen(<Opener />, { user: null });
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await waitFor(() =>
      expect(toasts).toEqual([
        {
          kind: 'error',
          title: 'This could not be loaded',
          description: 'Check your connection, then reload the page.',
        },
      ]),
    );
    offline = false;
    await userEvent.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByText('Here it is');
  });
});
