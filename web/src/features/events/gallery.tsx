import type { GalleryPicture } from '@meetmark/contracts';
import { galleryText as text } from '@meetmark/i18n/texts/gallery';
import { Button } from 'antd';
import { useEffect, useState } from 'react';
import { Dialog } from '../../ui/dialog';
import { ChevronLeftIcon, ChevronRightIcon } from '../../ui/icons';
import styles from './gallery.module.css';

interface GalleryProps {
  pictures: GalleryPicture[];
  heading: 'h2' | 'h3';
}

export default function Gallery({ pictures, heading: Heading }: GalleryProps) {
  const [at, setAt] = useState<number | null>(null);
  return (
    <section className={styles.gallery} id="pictures">
      <Heading>{text.title}</Heading>
      <ul>
        {pictures.map(({ id, url, alt }, index) => (
          <li key={id}>
            <button type="button" aria-haspopup="dialog" onClick={() => setAt(index)}>
              <img
                src={url}
                srcSet={`${url}?width=480 480w, ${url}?width=800 800w`}
                sizes="(max-width: 35em) 46vw, 15rem"
                alt={alt}
                loading="lazy"
              />
            </button>
          </li>
        ))}
      </ul>
      {at !== null && <Large pictures={pictures} first={at} close={() => setAt(null)} />}
    </section>
  );
}

function Large({ pictures, first, close }: { pictures: GalleryPicture[]; first: number; close: () => void }) {
  const { length } = pictures;
  const [chosen, setChosen] = useState(first);
  const at = Math.min(chosen, length - 1);
  const shown = pictures[at];
  const go = (by: number) => setChosen((at + by + length) % length);
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft') go(-1);
      if (key === 'ArrowRight') go(1);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
  const title = text.shown({ at: at + 1, count: length });
  return (
    <Dialog title={title} close={close} width={1120}>
      {() =>
        shown && (
          <div className={styles.large}>
            <img key={shown.id} src={shown.url} alt={shown.alt} />
            {length > 1 && (
              <div className={styles.turn}>
                <Button
                  shape="circle"
                  icon={<ChevronLeftIcon size={20} />}
                  aria-label={text.previous}
                  onClick={() => go(-1)}
                />
                <p className="visually-hidden" role="status">
                  {title}: {shown.alt}
                </p>
                <Button
                  shape="circle"
                  icon={<ChevronRightIcon size={20} />}
                  aria-label={text.next}
                  onClick={() => go(1)}
                />
              </div>
            )}
          </div>
        )
      }
    </Dialog>
  );
}
