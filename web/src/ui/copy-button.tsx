import { Button } from 'antd';
import { LinkIcon } from './icons';
import { useToasts } from './toasts';

interface CopyButtonProps {
  text: string;
  label: string;
  copied: string;
  failed: string;
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label, copied, failed }: CopyButtonProps) {
  const toasts = useToasts();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toasts.success(copied);
    } catch {
      // Browsers refuse without permission or HTTPS; the text can still be selected by hand.
      toasts.error(failed);
    }
  };
  return (
    <Button icon={<LinkIcon size={18} />} onClick={() => void copy()}>
      {label}
    </Button>
  );
}
