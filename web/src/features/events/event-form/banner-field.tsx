import { Button } from 'antd';
import { useRef } from 'react';
import { eventFormText as text } from '../../../strings/event-form';
import { CameraIcon } from '../../../ui/icons';
import { PictureInput } from '../../../ui/picture-input';
import styles from './event-form.module.css';

interface BannerFieldProps {
  /** A data URL that was chosen, the event's own URL, or null. */
  url: string | null;
  change: (url: string | null) => void;
}

export function BannerField({ url, change }: BannerFieldProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.banner}>
      <p className={styles.label}>{text.banner}</p>
      <PictureInput ref={picker} label={text.banner} choose={change} />
      {url && <img src={url} alt="" width={1600} height={800} className={styles.preview} />}
      <div className={styles.buttons}>
        <Button icon={<CameraIcon size={18} />} onClick={() => picker.current?.click()}>
          {url ? text.changeBanner : text.chooseBanner}
        </Button>
        {url && (
          <Button type="text" onClick={() => change(null)}>
            {text.removeBanner}
          </Button>
        )}
        {!url && <p className={styles.soft}>{text.bannerHint}</p>}
      </div>
    </div>
  );
}
