import { layoutText } from '@meetmark/i18n/texts/common';
import { Dropdown } from 'antd';
import { useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { ChevronDownIcon } from '../../ui/icons';
import { giveFocusBack, keepFocus } from '../../ui/more-menu';
import { ProposalCount } from './header';
import styles from './header.module.css';
import { type NavigationLink, PROPOSALS } from './navigation';

export default function MoreLinks({ links }: { links: NavigationLink[] }) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const trigger = useRef<HTMLButtonElement>(null);
  const isOpen = useRef(false);
  const [open, setOpen] = useState(false);
  const present = links.find(({ to }) => to === pathname);
  const items = links.map(({ to, label }) => ({
    key: to,
    label: (
      <>
        {label}
        {to === PROPOSALS && <ProposalCount />}
      </>
    ),
    onClick: () => void navigate(to),
  }));
  return (
    <Dropdown
      menu={{
        items,
        selectedKeys: present ? [present.to] : [],
        onFocus: (event) => isOpen.current || keepFocus(event, trigger.current),
      }}
      trigger={['click']}
      open={open}
      onOpenChange={(next) => {
        isOpen.current = next;
        setOpen(next);
        if (!next) giveFocusBack(trigger.current);
      }}
      autoFocus
      placement="bottomLeft"
      classNames={{ root: styles.more }}
      getPopupContainer={() => trigger.current?.parentElement ?? document.body}
    >
      <button
        ref={trigger}
        type="button"
        className={styles.link}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-current={present ? 'page' : undefined}
      >
        {layoutText.more}
        {links.some(({ to }) => to === PROPOSALS) && <ProposalCount />}
        <ChevronDownIcon size={16} />
      </button>
    </Dropdown>
  );
}
