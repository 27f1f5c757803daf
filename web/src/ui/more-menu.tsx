import { Button, Dropdown, type MenuProps } from 'antd';
import { type FocusEvent, useRef } from 'react';
import { MoreIcon } from './icons';
import { WordOrIcon } from './word-or-icon';

interface MoreMenuProps {
  /** The word on the button. */
  label: string;
  /** Names the button for screen readers: whose menu it is. */
  name: string;
  items: Required<MenuProps>['items'];
  className?: string;
}

/**
 * Takes the focus from a closed menu: antd focuses an opened one three frames later, even when it is closed by then.
 * The element that had the focus gets it back, else the menu's button does.
 */
export function keepFocus({ relatedTarget }: FocusEvent, button: HTMLElement | null): void {
  (relatedTarget instanceof HTMLElement ? relatedTarget : button)?.focus();
}

/** Moves the focus to the button when a menu closes: an entry that has the focus is hidden next. */
export function giveFocusBack(button: HTMLElement | null): void {
  if (document.activeElement?.closest('[role="menu"]')) button?.focus();
}

/** What is done seldom with a thing, behind a small button. */
export function MoreMenu({ label, name, items, className }: MoreMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useRef(false);
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      autoFocus
      onOpenChange={(open) => {
        isOpen.current = open;
        if (!open) giveFocusBack(button.current);
      }}
      getPopupContainer={() => document.getElementById('content') ?? document.body}
      menu={{
        items,
        onClick: ({ domEvent }) => {
          // The rest of a key press would press what gets the focus next; a dialog gives it back to the button.
          domEvent.preventDefault();
          button.current?.focus();
        },
        onFocus: (event) => {
          if (!isOpen.current) keepFocus(event, button.current);
        },
      }}
    >
      <Button
        ref={button}
        size="small"
        type="text"
        className={className}
        aria-label={name}
        aria-haspopup="menu"
      >
        <WordOrIcon word={label} icon={<MoreIcon />} />
      </Button>
    </Dropdown>
  );
}
