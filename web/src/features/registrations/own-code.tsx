import type { Event } from '@meetmark/contracts';
import { registrationText } from '@meetmark/i18n/texts/events';
import { ownCodeText as text } from '@meetmark/i18n/texts/own-code';
import { Button } from 'antd';
import { useState } from 'react';
import { lazyDialog } from '../../ui/lazy';
import { useNow } from '../../ui/use-now';

const OwnCodeDialog = lazyDialog(() => import('./own-code-dialog'));

interface OwnCodeProps {
  event: Event;
  named?: boolean;
}

export default function OwnCode({ event, named = false }: OwnCodeProps) {
  const [open, setOpen] = useState(false);
  const over = Date.parse(event.endDate) <= useNow();
  if (event.format === 'online' || event.status !== 'published' || over) return null;
  return (
    <>
      <Button
        aria-label={named ? registrationText.of({ label: text.show, title: event.title }) : undefined}
        onClick={() => setOpen(true)}
      >
        {text.show}
      </Button>
      {open && <OwnCodeDialog event={event} close={() => setOpen(false)} />}
    </>
  );
}
