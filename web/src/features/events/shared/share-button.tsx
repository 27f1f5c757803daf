import type { Event } from '@meetmark/contracts';
import { eventPath } from '@meetmark/contracts/events/event-path';
import { detailsText as text } from '@meetmark/i18n/texts/event-page';
import { Button } from 'antd';
import { ShareIcon } from '../../../ui/icons';
import { useToasts } from '../../../ui/toasts';

export function ShareButton({ event }: { event: Pick<Event, 'id' | 'slug' | 'title'> }) {
  const toasts = useToasts();
  const url = window.location.origin + eventPath(event);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      toasts.success(text.linkCopied);
    } catch {
      toasts.error(text.linkCopyFailed);
    }
  };
  const share = async () => {
    // some browsers have `share` but no dialog, so a failure also copies the link
    if (!('share' in navigator)) return copy();
    try {
      await navigator.share({ title: event.title, url });
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'AbortError')) await copy();
    }
  };
  return (
    <Button icon={<ShareIcon size={18} />} onClick={() => void share()}>
      {text.share}
    </Button>
  );
}
