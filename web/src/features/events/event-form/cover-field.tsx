import { PICTURES } from '@meetmark/contracts/limits';
import { eventFormText as text } from '@meetmark/contracts/texts/event-form';
import { Button } from 'antd';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import { CameraIcon } from '../../../ui/icons';
import { loaded, type Part, PictureInput, redrawn } from '../../../ui/picture-input';
import { EventBanner } from '../shared/event-banner';
import styles from './event-form.module.css';

const WIDTH = PICTURES.bannerWidth;
/** The proportion of a cover: twice as wide as high. */
const SHAPE = 2;
const PROPOSALS = 8;

interface CoverFieldProps {
  /** A data URL that was chosen, the event's own URL, or null. */
  url: string | null;
  change: (url: string | null) => void;
}

/** A picture of one's own, of which a part is chosen, or one of eight patterns. */
export function CoverField({ url, change }: CoverFieldProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [upload, setUpload] = useState<string | null>(null);
  const [seed] = useState(() => Math.random().toString(36).slice(2));
  const [proposal, setProposal] = useState<number | null>(null);
  const set = (
    cover: string | null,
    { of = null, pattern = null }: { of?: string | null; pattern?: number | null },
  ) => {
    setUpload(of);
    setProposal(pattern);
    change(cover);
  };
  const propose = async (pattern: number, drawing: SVGElement | null) => {
    const image = drawing && (await loaded(addressOf(drawing)));
    const cover = image && redrawn(image, WIDTH, WIDTH / SHAPE);
    if (cover) set(cover, { pattern });
  };
  return (
    <div className={styles.banner}>
      <p className={styles.label}>{text.banner}</p>
      <PictureInput ref={picker} label={text.banner} choose={(chosen) => set(chosen, { of: chosen })} />
      {upload ? (
        <Crop key={upload} source={upload} change={change} />
      ) : (
        url && <img src={url} alt="" width={WIDTH} height={WIDTH / SHAPE} className={styles.preview} />
      )}
      <div className={styles.choosing}>
        <Button icon={<CameraIcon size={18} />} onClick={() => picker.current?.click()}>
          {url ? text.changeBanner : text.chooseBanner}
        </Button>
        {url && (
          <Button type="text" onClick={() => set(null, {})}>
            {text.removeBanner}
          </Button>
        )}
        {!url && <p className={styles.soft}>{text.bannerHint}</p>}
      </div>
      <p className={styles.soft}>{text.proposals}</p>
      <div role="group" aria-label={text.proposals} className={styles.proposals}>
        {Array.from({ length: PROPOSALS }, (_, pattern) => (
          <button
            key={pattern}
            type="button"
            className={styles.proposal}
            aria-label={text.proposal({ number: pattern + 1 })}
            aria-pressed={proposal === pattern}
            onClick={({ currentTarget }) => void propose(pattern, currentTarget.querySelector('svg'))}
          >
            <EventBanner event={{ id: `${seed} ${pattern}`, bannerImageUrl: null }} />
          </button>
        ))}
      </div>
    </div>
  );
}

/** A drawing of the page as a picture of its own. */
function addressOf(drawing: SVGElement): string {
  const copy = drawing.cloneNode(true) as SVGElement;
  copy.setAttribute('width', String(WIDTH));
  copy.setAttribute('height', String(WIDTH / SHAPE));
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** Where the part is, from 0 to 1 of the way that it can go, and how many times it is enlarged. */
interface Place {
  across: number;
  down: number;
  zoom: number;
}

const MIDDLE: Place = { across: 0.5, down: 0.5, zoom: 1 };
const MAX_ZOOM = 3;
/** Of the way, for an arrow key. */
const STEP = 0.05;
const KEYS: Record<string, [across: number, down: number]> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

const within = (value: number) => Math.min(1, Math.max(0, value));

/** The part of a picture at a place, in the shape of a cover. */
function partAt({ across, down, zoom }: Place, { width, height }: { width: number; height: number }): Part {
  const partWidth = Math.min(width, height * SHAPE) / zoom;
  const partHeight = partWidth / SHAPE;
  return {
    x: across * (width - partWidth),
    y: down * (height - partHeight),
    width: partWidth,
    height: partHeight,
  };
}

interface CropProps {
  source: string;
  change: (cover: string) => void;
}

/** Chooses the part of a picture that becomes the cover: it is dragged, or moved by arrow keys, and enlarged. */
function Crop({ source, change }: CropProps) {
  const hint = useId();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [place, setPlace] = useState(MIDDLE);
  const [from, setFrom] = useState<{ x: number; y: number; place: Place } | null>(null);
  const part = size && partAt(place, size);
  const dragging = from !== null;
  const picture = useRef<HTMLImageElement>(null);
  const settled = useRef(change);
  useEffect(() => {
    settled.current = change;
  });
  // The preview is drawn once the frame stands still: drawing takes longer than moving.
  useEffect(() => {
    if (!size || dragging || !picture.current) return;
    const chosen = partAt(place, size);
    const width = Math.round(Math.min(WIDTH, chosen.width));
    const cover = redrawn(picture.current, width, Math.round(width / SHAPE), chosen);
    if (cover) settled.current(cover);
  }, [size, place, dragging]);

  const drag = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    if (!from || !size || !part) return;
    const scale = part.width / currentTarget.clientWidth;
    const moved = (pixels: number, way: number) => (way > 0 ? (pixels * scale) / way : 0);
    setPlace({
      ...from.place,
      across: within(from.place.across - moved(clientX - from.x, size.width - part.width)),
      down: within(from.place.down - moved(clientY - from.y, size.height - part.height)),
    });
  };
  const press = (event: KeyboardEvent) => {
    const [across, down] = KEYS[event.key] ?? [];
    if (across === undefined || down === undefined) return;
    event.preventDefault();
    setPlace((now) => ({ ...now, across: within(now.across + across), down: within(now.down + down) }));
  };
  const percent = (of: number, whole: number) => `${(of / whole) * 100}%`;
  return (
    <div className={styles.crop}>
      <div
        role="group"
        tabIndex={0}
        aria-label={text.crop}
        aria-describedby={hint}
        className={styles.frame}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom({ x: event.clientX, y: event.clientY, place });
        }}
        onPointerMove={drag}
        onPointerUp={() => setFrom(null)}
        onPointerCancel={() => setFrom(null)}
        onKeyDown={press}
      >
        <img
          ref={picture}
          src={source}
          alt=""
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setSize({ width, height })
          }
          style={
            part && size
              ? {
                  width: percent(size.width, part.width),
                  height: percent(size.height, part.height),
                  left: percent(-part.x, part.width),
                  top: percent(-part.y, part.height),
                }
              : undefined
          }
        />
      </div>
      <label className={styles.zoom}>
        <span>{text.zoom}</span>
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={place.zoom}
          onChange={({ target }) => setPlace({ ...place, zoom: Number(target.value) })}
        />
      </label>
      <p id={hint} className={styles.soft}>
        {text.cropHint}
      </p>
    </div>
  );
}
