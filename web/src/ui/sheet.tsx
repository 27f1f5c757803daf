import { commonText } from '@meetmark/i18n/texts/common';
import { Drawer, type DrawerProps } from 'antd';
import { type ReactNode, useState } from 'react';
import { GIVEN_BACK_BY_US, useFocusGivenBack } from './focus-place';

interface SheetProps extends Pick<
  DrawerProps,
  'title' | 'size' | 'className' | 'rootClassName' | 'mask' | 'autoFocus'
> {
  close: () => void;
  leave?: (dismiss: () => void) => void;
  opened?: () => void;
  children: (dismiss: () => void) => ReactNode;
}

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
