import type { HelpPanel } from '@meetmark/contracts/handbook';
import { helpText as text } from '@meetmark/i18n/texts/help';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy';
import { HelpIcon } from './help-icon';
import styles from './help.module.css';

const HelpSheet = lazyDialog(async () => (await import('./help-sheet')).loadHelpSheet());

interface HelpButtonProps {
  panel: HelpPanel;
  title: string;
}

export function HelpButton({ panel, title }: HelpButtonProps) {
  const [open, setOpen] = useState(false);
  const name = text.of({ panel: title });
  return (
    <>
      <button
        type="button"
        className={styles.button}
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <HelpIcon size={20} />
      </button>
      {open && <HelpSheet panel={panel} title={name} close={() => setOpen(false)} />}
    </>
  );
}
