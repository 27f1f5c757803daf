import { commonText } from '@meetmark/contracts/texts/common';
import { Drawer, type DrawerProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { GIVEN_BACK_BY_US, useFocusGivenBack } from './focus-place';

interface SheetProps extends Pick<
  DrawerProps,
  'title' | 'size' | 'className' | 'rootClassName' | 'mask' | 'autoFocus'
> {
  /** The sheet calls it when it has left the screen: the caller then stops rendering it. */
  close: () => void;
  /** What Escape, the cross and a click beside it do; without it the sheet goes. */
  leave?: (dismiss: () => void) => void;
  /** The sheet calls it when it is open. */
  opened?: () => void;
  children: (dismiss: () => void) => ReactNode;
}

/** A drawer at the side of the screen; on a phone it covers the screen. It is open while it is rendered. */
export function Sheet({ close, leave, opened, children, ...drawer }: SheetProps) {
  const [open, setOpen] = useState(true);
  const dismiss = () => setOpen(false);
  useFocusGivenBack();
  return (
    <Drawer
      {...drawer}
      open={open}
      closable={{ 'aria-label': commonText.close }}
      focusable={GIVEN_BACK_BY_US}
      onClose={() => (leave ? leave(dismiss) : dismiss())}
      afterOpenChange={(isOpen) => (isOpen ? opened?.() : close())}
    >
      {children(dismiss)}
    </Drawer>
  );
}
