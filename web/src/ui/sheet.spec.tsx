import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, useEffect, useState } from 'react';
import { Dialog } from './dialog';
import { Sheet } from './sheet';

let opened = 0;
function Content() {
  useEffect(() => {
    opened += 1;
  }, []);
  return <input aria-label="Name" />;
}

interface Closable {
  close: () => void;
}
const Question = ({ close }: Closable) => (
  <Dialog title="Question" close={close}>
    {() => <Content />}
  </Dialog>
);
// jsdom lays nothing out, and antd's drawer focuses only what has a place
const Side = ({ close }: Closable) => (
  <Sheet title="Sheet" autoFocus={false} opened={() => screen.getByRole('textbox').focus()} close={close}>
    {() => <Content />}
  </Sheet>
);

function Opener({ shown: Shown }: { shown: ComponentType<Closable> }) {
  const [open, setOpen] = useState<object | null>(null);
  return (
    <>
      <button onClick={() => setOpen({})}>Open</button>
      {open && <Shown close={() => setOpen(null)} />}
    </>
  );
}

it.each([
  ['a dialog', Question],
  ['a sheet', Side],
])('%s opens again for who presses the moment that the focus is back', async (_, shown) => {
  opened = 0;
  const user = userEvent.setup();
  render(<Opener shown={shown} />);
  const button = screen.getByRole('button', { name: 'Open' });
  button.focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog');
  await waitFor(() => expect(document.activeElement).not.toBe(button));
  button.addEventListener('focus', () => button.click(), { once: true });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(opened).toBe(2));
  await screen.findByRole('dialog');
});
