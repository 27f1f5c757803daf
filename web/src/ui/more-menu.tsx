import { Button, Dropdown, type MenuProps } from 'antd';
import { type FocusEvent, useRef } from 'react';
import { MoreIcon } from './more-icons';
import { WordOrIcon } from './word-or-icon';

interface MoreMenuProps {
  label: string;
  name: string;
  items: Required<MenuProps>['items'];
  className?: string;
}

/** Takes the focus away from a menu that closed before antd focused it. */
export function keepFocus({ relatedTarget }: FocusEvent, button: HTMLElement | null): void {
  (relatedTarget instanceof HTMLElement ? relatedTarget : button)?.focus();
}

/** Moves the focus from a closing menu to its button, because the focused entry is about to be hidden. */
export function giveFocusBack(button: HTMLElement | null): void {
  if (document.activeElement?.closest('[role="menu"]')) button?.focus();
}

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
          // otherwise the key press would also act on the newly focused element
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
